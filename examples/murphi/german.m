-- German's cache coherence protocol: clients share one line of memory, a home node keeps it coherent.
--
-- Steven German posed the protocol as a challenge for parameterised verification. Here it has data, and the
-- names it has in Chou, Mannava and Park 2004 ("A simple method for parameterized verification of cache
-- coherence protocols").
--
-- A client holds the line Invalid, Shared (it may read) or Exclusive (it may write). It asks the home node on
-- its channel 1; the home node grants or invalidates on the client's channel 2; the client acknowledges an
-- invalidation on its channel 3. A channel holds one message at most.
--
-- The home node serves one request at a time. A request for a shared copy has to wait for the invalidation of
-- an exclusive one, a request for an exclusive copy for that of all others. Requests wait in channel 1.
--
-- Clients may be exchanged, and so may be the values of the line: the group has order 4! * 2! = 48.
--
-- expect: states 1105434, transitions 5922288, deadlocks 0
-- expect: orbits 28088, edges 150584, dead orbits 0, group 48
-- expect NODE_NUM=2: states 3390, transitions 9912, orbits 852, edges 2491, group 4
-- expect NODE_NUM=3: states 58104, transitions 235872, orbits 5235, edges 21289, group 12
-- expect NODE_NUM=3 DATA_NUM=3: states 91773, transitions 381591, orbits 5235, edges 21685, group 36
-- expect NODE_NUM=5: states 22031028, orbits 131112, edges 876780, group 240

const
  NODE_NUM: 4;
  DATA_NUM: 2;

type
  NODE: scalarset(NODE_NUM);
  DATA: scalarset(DATA_NUM);

  CACHE_STATE: enum { Invalid, Shared, Exclusive };
  CACHE: record
    State: CACHE_STATE;
    Data: DATA; -- defined unless invalid
  end;

  MSG_CMD: enum { Empty, ReqS, ReqE, Inv, InvAck, GntS, GntE };
  MSG: record
    Cmd: MSG_CMD;
    Data: DATA; -- defined in grants, and in the acknowledgement of a client that could write
  end;

var
  Cache: array[NODE] of CACHE;
  Chan1: array[NODE] of MSG; -- client to home: requests
  Chan2: array[NODE] of MSG; -- home to client: grants and invalidations
  Chan3: array[NODE] of MSG; -- client to home: acknowledgements

  -- The home node. The request in service, and who asked:
  CurCmd: MSG_CMD;
  CurPtr: NODE;
  -- The directory: who may have a copy, who of them is still to be invalidated, and whether one may write.
  ShrSet: array[NODE] of boolean;
  InvSet: array[NODE] of boolean;
  ExGntd: boolean;
  MemData: DATA;

  -- What was written last, anywhere. No rule depends on it; it is there to say what `DataProp` says.
  AuxData: DATA;

ruleset d: DATA do
  startstate "Init"
    for i: NODE do
      Chan1[i].Cmd := Empty;
      Chan2[i].Cmd := Empty;
      Chan3[i].Cmd := Empty;
      Cache[i].State := Invalid;
      ShrSet[i] := false;
      InvSet[i] := false;
    end;
    CurCmd := Empty;
    ExGntd := false;
    MemData := d;
    AuxData := d;
  end;
end;

-- Clients ask.

ruleset i: NODE do
  rule "SendReqS"
    Cache[i].State = Invalid & Chan1[i].Cmd = Empty
  ==>
    Chan1[i].Cmd := ReqS;
  end;

  rule "SendReqE"
    Cache[i].State != Exclusive & Chan1[i].Cmd = Empty
  ==>
    Chan1[i].Cmd := ReqE;
  end;
end;

-- The home node takes up a request. All who may have a copy now are put down for invalidation; whether it
-- comes to that depends on the request.

ruleset i: NODE do
  rule "RecvReqS"
    CurCmd = Empty & Chan1[i].Cmd = ReqS
  ==>
    CurCmd := ReqS;
    CurPtr := i;
    InvSet := ShrSet;
    Chan1[i].Cmd := Empty;
  end;

  rule "RecvReqE"
    CurCmd = Empty & Chan1[i].Cmd = ReqE
  ==>
    CurCmd := ReqE;
    CurPtr := i;
    InvSet := ShrSet;
    Chan1[i].Cmd := Empty;
  end;
end;

-- Invalidation, there and back. A copy that could be written is brought home with the acknowledgement.

ruleset i: NODE do
  rule "SendInv"
    InvSet[i] & Chan2[i].Cmd = Empty & (CurCmd = ReqE | CurCmd = ReqS & ExGntd)
  ==>
    Chan2[i].Cmd := Inv;
    InvSet[i] := false;
  end;

  rule "SendInvAck"
    Chan2[i].Cmd = Inv & Chan3[i].Cmd = Empty
  ==>
    Chan2[i].Cmd := Empty;
    Chan3[i].Cmd := InvAck;
    if Cache[i].State = Exclusive then
      Chan3[i].Data := Cache[i].Data;
    end;
    Cache[i].State := Invalid;
    undefine Cache[i].Data;
  end;

  rule "RecvInvAck"
    CurCmd != Empty & Chan3[i].Cmd = InvAck
  ==>
    if ExGntd then
      MemData := Chan3[i].Data;
      ExGntd := false;
    end;
    ShrSet[i] := false;
    Chan3[i].Cmd := Empty;
    undefine Chan3[i].Data;
  end;
end;

-- The home node grants, which ends the service, and the client receives.

ruleset i: NODE do
  rule "SendGntS"
    CurCmd = ReqS & CurPtr = i & Chan2[i].Cmd = Empty & !ExGntd
  ==>
    Chan2[i].Cmd := GntS;
    Chan2[i].Data := MemData;
    ShrSet[i] := true;
    CurCmd := Empty;
    undefine CurPtr;
  end;

  rule "SendGntE"
    CurCmd = ReqE & CurPtr = i & Chan2[i].Cmd = Empty & !ExGntd & forall j: NODE do !ShrSet[j] end
  ==>
    Chan2[i].Cmd := GntE;
    Chan2[i].Data := MemData;
    ShrSet[i] := true;
    ExGntd := true;
    CurCmd := Empty;
    undefine CurPtr;
  end;

  rule "RecvGntS"
    Chan2[i].Cmd = GntS
  ==>
    Cache[i].State := Shared;
    Cache[i].Data := Chan2[i].Data;
    Chan2[i].Cmd := Empty;
    undefine Chan2[i].Data;
  end;

  rule "RecvGntE"
    Chan2[i].Cmd = GntE
  ==>
    Cache[i].State := Exclusive;
    Cache[i].Data := Chan2[i].Data;
    Chan2[i].Cmd := Empty;
    undefine Chan2[i].Data;
  end;
end;

-- Clients write.

ruleset i: NODE; d: DATA do
  rule "Store"
    Cache[i].State = Exclusive
  ==>
    Cache[i].Data := d;
    AuxData := d;
  end;
end;

-- Who can write is alone.
invariant "CtrlProp"
  forall i: NODE do forall j: NODE do
    i != j ->
      (Cache[i].State = Exclusive -> Cache[j].State = Invalid) &
      (Cache[i].State = Shared -> Cache[j].State != Exclusive)
  end end;

-- Who can read reads what was written last; memory has it too unless somebody can write.
invariant "DataProp"
  (!ExGntd -> MemData = AuxData) &
  forall i: NODE do Cache[i].State != Invalid -> Cache[i].Data = AuxData end;
