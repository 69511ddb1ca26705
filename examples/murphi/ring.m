-- A token that goes round in a ring: who has it may enter.
--
-- An idle process that has the token passes it on, one that waits enters, and passes it on when it leaves. Each has two phases
-- without the token and three with it: N * 3 * 2^(N-1) states. The processes are numbers, and next to each other: the rotations are
-- symmetries, but they are found, not declared.
--
-- expect: states 36, transitions 84, deadlocks 0
-- expect: orbits 36, edges 84, dead orbits 0, group 1
-- expect N=5: states 240, transitions 800, orbits 240, edges 800, group 1
--
-- Who waits enters, however unfair a run is, as only so many others can want to enter before the token has to move. But nobody has
-- to want: not even runs that are fair to processes have somebody critical again and again. Those that are fair to each action of
-- each process do.
--
-- ltl holds: forall p: PROCESS . G (phase[p] = Waiting -> F phase[p] = Critical)
-- ltl violated (fair weak by p): forall p: PROCESS . G F phase[p] = Critical
-- ltl violated (fair strong by p): G F {exists p: PROCESS do phase[p] = Critical end}
-- ltl holds (fair weak): forall p: PROCESS . G F phase[p] = Critical
-- ctl holds: forall p: PROCESS . AG EF phase[p] = Critical

const
  N: 3;

type
  PROCESS: 0 .. N - 1;
  PHASE: enum { Idle, Waiting, Critical };

var
  phase: array[PROCESS] of PHASE;
  token: PROCESS; -- who has it

ruleset p: PROCESS do
  startstate "the token is here"
    for q: PROCESS do
      phase[q] := Idle;
    end;
    token := p;
  end;
end;

ruleset p: PROCESS do
  rule "want"
    phase[p] = Idle
  ==>
    phase[p] := Waiting;
  end;

  rule "pass"
    phase[p] = Idle & token = p
  ==>
    token := (p + 1) % N;
  end;

  rule "enter"
    phase[p] = Waiting & token = p
  ==>
    phase[p] := Critical;
  end;

  rule "leave"
    phase[p] = Critical
  ==>
    phase[p] := Idle;
    token := (p + 1) % N;
  end;
end;

invariant "who is critical has the token"
  forall p: PROCESS do phase[p] = Critical -> token = p end;
