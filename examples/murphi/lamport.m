-- Lamport's fast mutual exclusion: without contention, two writes and two reads before the critical section (Lamport 1987).
--
-- b[i] says that process i competes; x is who wrote last, y who is let in, or nobody. Who finds y taken starts anew; who finds
-- that x was written by another waits until nobody competes, in any order (`left`), and is let in if y is still its own.
--
-- The same states and steps as the model LamportFastMutEx of the Model Checking Contest, and as ../hln/lamport.hln.
--
-- expect: states 380, transitions 716, deadlocks 0
-- expect: orbits 191, edges 360, dead orbits 0, group 2
-- expect N=3: states 19742, transitions 58272, deadlocks 0, orbits 3367, edges 9951, group 6

const
  N: 2;

type
  PID: scalarset(N);
  NOBODY: enum { Nobody };
  SOMEONE: union { PID, NOBODY };
  PLACE: enum { Start, SetX, TestY, Yield, WaitY, SetY, TestX, Contend, LookAtAll, Await,
    TestYAgain, Critical, Leave };

var
  at: array[PID] of PLACE;
  b: array[PID] of boolean;
  left: array[PID] of array[PID] of boolean; -- for whom is not looked yet
  x, y: SOMEONE;

startstate "nobody competes"
  x := Nobody;
  y := Nobody;
  for i: PID do
    at[i] := Start;
    b[i] := false;
    for j: PID do left[i][j] := false; end;
  end;
end;

ruleset i: PID do
  rule "compete" at[i] = Start ==> b[i] := true; at[i] := SetX; end;
  rule "write x" at[i] = SetX ==> x := i; at[i] := TestY; end;
  rule "y is taken" at[i] = TestY & y != Nobody ==> at[i] := Yield; end;
  rule "step back" at[i] = Yield ==> b[i] := false; at[i] := WaitY; end;
  rule "start anew" at[i] = WaitY & y = Nobody ==> at[i] := Start; end;

  rule "y is free" at[i] = TestY & y = Nobody ==> at[i] := SetY; end;
  rule "write y" at[i] = SetY ==> y := i; at[i] := TestX; end;
  rule "x is own" at[i] = TestX & x = i ==> at[i] := Critical; end;
  rule "x is another's" at[i] = TestX & x != i ==> at[i] := Contend; end;

  rule "stop competing" at[i] = Contend ==> b[i] := false; at[i] := LookAtAll; end;
  rule "look at all" at[i] = LookAtAll ==>
    for j: PID do left[i][j] := true; end;
    at[i] := Await;
  end;
  ruleset j: PID do
    rule "other is done" at[i] = Await & left[i][j] & !b[j] ==> left[i][j] := false; end;
  end;
  rule "all are done" at[i] = Await & forall j: PID do !left[i][j] end ==> at[i] := TestYAgain; end;
  rule "y is own" at[i] = TestYAgain & y = i ==> at[i] := Critical; end;
  rule "y is another's" at[i] = TestYAgain & y != i ==> at[i] := WaitY; end;

  rule "free y" at[i] = Critical ==> y := Nobody; at[i] := Leave; end;
  rule "finish" at[i] = Leave ==> b[i] := false; at[i] := Start; end;
end;

invariant "mutual exclusion"
  forall i: PID do forall j: PID do at[i] = Critical & at[j] = Critical -> i = j end end;
