-- A semaphore: processes wait for it, one at a time is in its critical section.
--
-- Any number of N processes may wait, and at most one is critical: 2^N + N * 2^(N-1) states. Processes may be
-- exchanged, so that only their numbers count: N + 1 orbits without a critical process, N orbits with one.
--
-- expect: states 589824, transitions 5505024, deadlocks 0
-- expect: orbits 33, edges 408, dead orbits 0, group 20922789888000
-- expect N=3: states 20, transitions 48, orbits 7, edges 18, group 6
-- expect N=8: states 1280, transitions 6656, orbits 17, edges 108, group 40320
--
-- Who waits need not enter, unless runs are strongly fair: whenever another process is critical, nobody can enter.
--
-- ltl violated (N=3): forall p: PROCESS . G (phase[p] = Waiting -> F phase[p] = Critical)
-- ltl violated (N=3, fair weak): forall p: PROCESS . G (phase[p] = Waiting -> F phase[p] = Critical)
-- ltl holds (N=3, fair strong): forall p: PROCESS . G (phase[p] = Waiting -> F phase[p] = Critical)
-- ltl holds (N=3): forall p: PROCESS . SF(enter(p)) & WF(leave) => G (phase[p] = Waiting -> F phase[p] = Critical)
-- ltl holds (N=3): G F !free
-- ctl holds (N=3): AG EF {forall p: PROCESS do phase[p] = Idle end}
-- ctl violated (N=3): AG EX free

const
  N: 16;

type
  PROCESS: scalarset(N);
  PHASE: enum { Idle, Waiting, Critical };

var
  phase: array[PROCESS] of PHASE;
  free: boolean; -- the semaphore

startstate "nobody wants it"
  for p: PROCESS do
    phase[p] := Idle;
  end;
  free := true;
end;

ruleset p: PROCESS do
  rule "want"
    phase[p] = Idle
  ==>
    phase[p] := Waiting;
  end;

  rule "enter"
    phase[p] = Waiting & free
  ==>
    phase[p] := Critical;
    free := false;
  end;

  rule "leave"
    phase[p] = Critical
  ==>
    phase[p] := Idle;
    free := true;
  end;
end;

invariant "mutual exclusion"
  forall p: PROCESS do forall q: PROCESS do
    phase[p] = Critical & phase[q] = Critical -> p = q
  end end;

invariant "the semaphore is taken by whoever is critical"
  free = forall p: PROCESS do phase[p] != Critical end;
