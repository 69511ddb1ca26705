-- Peterson's algorithm: mutual exclusion of N processes by shared variables that are read and written one at a
-- time (Peterson 1981, "Myths about the mutual exclusion problem").
--
-- A process climbs the levels 1 .. N-1. On each it writes its level, then signs as the last to come, then looks
-- at the others one by one. It passes another that stands on a lower level, or all of them as soon as someone
-- else has signed after it. So of those on a level one is left behind, and one process comes out on top.
--
-- Which others were passed is a set: the order in which a process looks is left open, for any fixed order would
-- tell the processes apart. Every rule reads or writes one shared variable at most.
--
-- expect: states 2559, transitions 6876, deadlocks 0
-- expect: orbits 457, edges 1236, dead orbits 0, group 6
-- expect N=2: states 51, transitions 96, orbits 27, edges 51, group 2
-- expect N=4: states 352529, transitions 1393176, orbits 15235, edges 60227, group 24
--
-- Whoever competes becomes critical, if every process that can always do something does something in the end.
-- Otherwise the others may go on without it for ever.
--
-- ltl violated (N=2): forall p: PROCESS . G (step[p] = Climb -> F step[p] = Critical)
-- ltl holds (N=2, fair weak by p): forall p: PROCESS . G (step[p] = Climb -> F step[p] = Critical)
-- ltl holds (N=2, fair weak): forall p: PROCESS . G (step[p] = Climb -> F step[p] = Critical)

const
  N: 3;

type
  PROCESS: scalarset(N);
  LEVEL: 0 .. N - 1;
  STAGE: 1 .. N - 1;
  COUNT: 0 .. N;
  STEP: enum { Idle, Climb, Sign, Look, Critical };

var
  -- Shared. A process that does not compete stands on level 0.
  level: array[PROCESS] of LEVEL;
  last: array[STAGE] of PROCESS;

  -- Of each process: what it does next, the level it is about, and whom it has passed there.
  step: array[PROCESS] of STEP;
  stage: array[PROCESS] of STAGE;
  passed: array[PROCESS] of array[PROCESS] of boolean;

procedure rise(p: PROCESS);
begin
  for q: PROCESS do
    passed[p][q] := false;
  end;
  if stage[p] = N - 1 then
    step[p] := Critical;
    undefine stage[p];
  else
    step[p] := Climb;
    stage[p] := stage[p] + 1;
  end;
end;

-- How many processes have risen from this level.
function above(s: STAGE): COUNT;
var
  found: COUNT;
begin
  found := 0;
  for p: PROCESS do
    if step[p] = Critical | step[p] != Idle & stage[p] > s then
      found := found + 1;
    end;
  end;
  return found;
end;

startstate "nobody competes"
  for p: PROCESS do
    level[p] := 0;
    step[p] := Idle;
    for q: PROCESS do
      passed[p][q] := false;
    end;
  end;
end;

ruleset p: PROCESS do
  rule "compete"
    step[p] = Idle
  ==>
    step[p] := Climb;
    stage[p] := 1;
  end;

  rule "climb"
    step[p] = Climb
  ==>
    level[p] := stage[p];
    step[p] := Sign;
  end;

  rule "sign"
    step[p] = Sign
  ==>
    last[stage[p]] := p;
    step[p] := Look;
  end;

  rule "rise: someone came later"
    step[p] = Look & last[stage[p]] != p
  ==>
    rise(p);
  end;

  rule "rise: all others were passed"
    step[p] = Look & forall q: PROCESS do q = p | passed[p][q] end
  ==>
    rise(p);
  end;

  rule "leave"
    step[p] = Critical
  ==>
    level[p] := 0;
    step[p] := Idle;
  end;
end;

ruleset p: PROCESS; q: PROCESS do
  rule "pass"
    step[p] = Look & q != p & !passed[p][q] & level[q] < stage[p]
  ==>
    passed[p][q] := true;
  end;
end;

invariant "mutual exclusion"
  forall p: PROCESS do forall q: PROCESS do
    step[p] = Critical & step[q] = Critical -> p = q
  end end;

-- Why that is so: of k processes that came to a level, k - 1 leave it at most.
invariant "every level leaves somebody behind"
  forall s: STAGE do above(s) <= N - s end;
