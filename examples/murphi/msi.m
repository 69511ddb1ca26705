-- An MSI protocol with a directory: processors cache one line of memory, and messages may overtake one another.
--
-- A processor holds the line Modified (it may write), Shared (it may read) or not at all (Invalid), or it waits
-- for it. The home node has the memory and a directory: who owns the line, or who may share it. It serves one
-- request at a time, until the requester says that it is done; meanwhile other requests stay in the network.
--
--   GetShared, GetModified     a processor asks the home node for the line.
--   Data                       is the answer: the value, and how many acknowledgements to wait for. It comes from
--                              the home node, or from the owner if there is one.
--   FetchShared, FetchModified the home node tells the owner to answer the requester. In the first case the owner
--                              goes on sharing the line, and sends a Copy to the home node as well.
--   Invalidate                 the home node tells a sharer that the requester is going to write; the sharer
--   Acknowledge                gives up its copy and says so to the requester.
--   Done                       the requester tells the home node that all of this has arrived.
--   WriteBack                  an owner gives the line up; the home node notes it with
--   Noted.
--
-- Races to look for: a sharer drops its copy without a word, so that Invalidate may find no copy, or a
-- processor that has asked anew. Acknowledge may arrive before Data. A sharer that wants to write may lose its
-- copy while it waits. And an owner may be told to answer a requester just after it wrote back: it answers all
-- the same, and its WriteBack, when it is taken up at last, is not the owner's any more.
--
-- The network is a multiset. Processors may be exchanged, and so may be values.
--
-- expect: states 33060, transitions 111288, deadlocks 0
-- expect: orbits 2934, edges 9899, dead orbits 0, group 12
-- expect PROC_NUM=2: states 1686, transitions 4396, orbits 426, edges 1111, group 4
-- expect PROC_NUM=4: states 547094, orbits 13989, edges 58762, group 48

const
  PROC_NUM: 3;
  VALUE_NUM: 2;
  NET_MAX: 2 * PROC_NUM;

type
  PROC: scalarset(PROC_NUM);
  VALUE: scalarset(VALUE_NUM);
  COUNT: 0 .. PROC_NUM;
  BALANCE: -PROC_NUM .. PROC_NUM;

  -- XtoY: was X, has asked to become Y. A processor in StoM still reads its copy. With Counting, the value has
  -- come, and acknowledgements are missing. With MtoI, the line was written back, and this is not noted yet.
  LINE: enum { Invalid, Shared, Modified, ItoS, ItoM, StoM, Counting, MtoI };
  KIND: enum {
    GetShared, GetModified, Data, FetchShared, FetchModified, Copy, Invalidate, Acknowledge, Done,
    WriteBack, Noted
  };
  MESSAGE: record
    kind: KIND;
    proc: PROC; -- to which it goes, or from which it comes if it goes to the home node
    requester: PROC; -- of FetchShared, FetchModified, Invalidate
    value: VALUE; -- of Data, Copy, WriteBack
    sharers: COUNT; -- of Data
  end;

var
  line: array[PROC] of LINE;
  cached: array[PROC] of VALUE;
  missing: array[PROC] of BALANCE; -- acknowledgements; negative if they came before Data

  memory: VALUE;
  owner: PROC;
  shares: array[PROC] of boolean;
  served: PROC; -- undefined if the home node is free
  copy_due: boolean; -- has the home node to wait for a Copy?
  done_due: boolean; -- has it to wait for Done?

  net: multiset[NET_MAX] of MESSAGE;

  -- What was written last, anywhere. No rule depends on it; it is there for the invariants.
  latest: VALUE;

procedure send(kind: KIND; proc: PROC);
var
  message: MESSAGE;
begin
  message.kind := kind;
  message.proc := proc;
  multisetadd(message, net);
end;

procedure send_for(kind: KIND; proc: PROC; requester: PROC);
var
  message: MESSAGE;
begin
  message.kind := kind;
  message.proc := proc;
  message.requester := requester;
  multisetadd(message, net);
end;

procedure send_value(kind: KIND; proc: PROC; value: VALUE);
var
  message: MESSAGE;
begin
  message.kind := kind;
  message.proc := proc;
  message.value := value;
  multisetadd(message, net);
end;

procedure send_data(proc: PROC; value: VALUE; sharers: COUNT);
var
  message: MESSAGE;
begin
  message.kind := Data;
  message.proc := proc;
  message.value := value;
  message.sharers := sharers;
  multisetadd(message, net);
end;

function reads(p: PROC): boolean;
begin
  return line[p] = Shared | line[p] = StoM | line[p] = Modified;
end;

procedure lose(p: PROC; next: LINE);
begin
  line[p] := next;
  undefine cached[p];
end;

-- The processor may write once it has the value and all acknowledgements.
procedure count(p: PROC);
begin
  if line[p] = Counting & missing[p] = 0 then
    line[p] := Modified;
    send(Done, p);
  end;
end;

-- Tells all sharers but the one that is served, and says how many they are.
function invalidate(): COUNT;
var
  told: COUNT;
begin
  told := 0;
  for p: PROC do
    if shares[p] & p != served then
      send_for(Invalidate, p, served);
      told := told + 1;
    end;
    shares[p] := false;
  end;
  return told;
end;

procedure free_if_done();
begin
  if !copy_due & !done_due then
    undefine served;
  end;
end;

ruleset v: VALUE do
  startstate "nobody has a copy"
    for p: PROC do
      line[p] := Invalid;
      missing[p] := 0;
      shares[p] := false;
    end;
    memory := v;
    latest := v;
    copy_due := false;
    done_due := false;
  end;
end;

-- What processors do by themselves.

ruleset p: PROC do
  rule "ask to read"
    line[p] = Invalid
  ==>
    send(GetShared, p);
    line[p] := ItoS;
  end;

  rule "ask to write"
    line[p] = Invalid | line[p] = Shared
  ==>
    send(GetModified, p);
    if line[p] = Shared then
      line[p] := StoM;
    else
      line[p] := ItoM;
    end;
  end;

  rule "drop a shared copy"
    line[p] = Shared
  ==>
    lose(p, Invalid);
  end;

  rule "write back"
    line[p] = Modified
  ==>
    send_value(WriteBack, p, cached[p]);
    line[p] := MtoI;
  end;
end;

ruleset p: PROC; v: VALUE do
  rule "write"
    line[p] = Modified
  ==>
    cached[p] := v;
    latest := v;
  end;
end;

-- What comes to a processor. A message leaves the network before others enter it, for there might be no room.

choose m: net do
  rule "take Data"
    net[m].kind = Data
  ==>
  var
    p: PROC;
  begin
    p := net[m].proc;
    cached[p] := net[m].value;
    missing[p] := missing[p] + net[m].sharers;
    multisetremove(m, net);
    if line[p] = ItoS then
      line[p] := Shared;
      send(Done, p);
    else
      assert "who gets the line has asked for it" line[p] = ItoM | line[p] = StoM;
      line[p] := Counting;
      count(p);
    end;
  end;

  rule "take Acknowledge"
    net[m].kind = Acknowledge
  ==>
  var
    p: PROC;
  begin
    p := net[m].proc;
    multisetremove(m, net);
    assert "who gets an acknowledgement is going to write"
      line[p] = ItoM | line[p] = StoM | line[p] = Counting;
    missing[p] := missing[p] - 1;
    count(p);
  end;

  rule "take Invalidate"
    net[m].kind = Invalidate
  ==>
  var
    p: PROC;
    requester: PROC;
  begin
    p := net[m].proc;
    requester := net[m].requester;
    multisetremove(m, net);
    assert "who has to give up its copy does not write" line[p] != Modified & line[p] != Counting;
    if line[p] = Shared then
      lose(p, Invalid);
    elsif line[p] = StoM then
      lose(p, ItoM);
    end;
    send(Acknowledge, requester);
  end;

  rule "take FetchShared"
    net[m].kind = FetchShared
  ==>
  var
    p: PROC;
    requester: PROC;
  begin
    p := net[m].proc;
    requester := net[m].requester;
    multisetremove(m, net);
    assert "who has to hand over the line has it" line[p] = Modified | line[p] = MtoI;
    send_data(requester, cached[p], 0);
    send_value(Copy, p, cached[p]);
    if line[p] = Modified then
      line[p] := Shared;
    end;
  end;

  rule "take FetchModified"
    net[m].kind = FetchModified
  ==>
  var
    p: PROC;
    requester: PROC;
  begin
    p := net[m].proc;
    requester := net[m].requester;
    multisetremove(m, net);
    assert "who has to hand over the line has it" line[p] = Modified | line[p] = MtoI;
    send_data(requester, cached[p], 0);
    if line[p] = Modified then
      lose(p, Invalid);
    end;
  end;

  rule "take Noted"
    net[m].kind = Noted
  ==>
  var
    p: PROC;
  begin
    p := net[m].proc;
    multisetremove(m, net);
    lose(p, Invalid);
  end;
end;

-- What comes to the home node.

choose m: net do
  rule "serve GetShared"
    net[m].kind = GetShared & isundefined(served)
  ==>
    served := net[m].proc;
    multisetremove(m, net);
    done_due := true;
    if isundefined(owner) then
      shares[served] := true;
      send_data(served, memory, 0);
    else
      copy_due := true;
      send_for(FetchShared, owner, served);
    end;
  end;

  rule "serve GetModified"
    net[m].kind = GetModified & isundefined(served)
  ==>
  var
    sharers: COUNT;
  begin
    served := net[m].proc;
    multisetremove(m, net);
    done_due := true;
    if isundefined(owner) then
      sharers := invalidate();
      send_data(served, memory, sharers);
    else
      send_for(FetchModified, owner, served);
    end;
    owner := served;
  end;

  rule "take Copy"
    net[m].kind = Copy
  ==>
    assert "the copy comes from the owner" copy_due & owner = net[m].proc;
    memory := net[m].value;
    multisetremove(m, net);
    shares[owner] := true;
    shares[served] := true;
    undefine owner;
    copy_due := false;
    free_if_done();
  end;

  rule "take Done"
    net[m].kind = Done
  ==>
    assert "who is done was served" done_due & served = net[m].proc;
    multisetremove(m, net);
    done_due := false;
    free_if_done();
  end;

  rule "take WriteBack"
    net[m].kind = WriteBack & isundefined(served)
  ==>
  var
    p: PROC;
  begin
    p := net[m].proc;
    if !isundefined(owner) & owner = p then
      memory := net[m].value;
      undefine owner;
    end;
    multisetremove(m, net);
    send(Noted, p);
  end;
end;

invariant "who can write is alone"
  forall p: PROC do forall q: PROC do
    p != q & line[p] = Modified -> !reads(q)
  end end;

invariant "who can read reads what was written last"
  forall p: PROC do reads(p) -> cached[p] = latest end;

invariant "the directory knows who can write"
  forall p: PROC do line[p] = Modified -> !isundefined(owner) end;

invariant "memory is up to date where nobody owns the line"
  isundefined(owner) -> memory = latest;
