-- Every directed graph on N vertices, each once: as many orbits as directed graphs up to isomorphism.
--
-- As in graphs.m, but an arc goes one way, and is taken away alone (Junttila 2003, Section 7.7). The graph
-- without arcs is a deadlock.
--
-- There are 2^(N*(N-1)) directed graphs; those up to isomorphism are sequence A000273 of the OEIS.
--
-- with: --no-deadlock
-- expect: states 4096, transitions 24576, deadlocks 1
-- expect: orbits 218, edges 1308, dead orbits 1, group 24
-- expect N=3: states 64, orbits 16, edges 48, group 6
-- expect N=5: states 1048576, orbits 9608, edges 96080, group 120

const
  N: 4;

type
  VERTEX: scalarset(N);

var
  arc: array[VERTEX] of array[VERTEX] of boolean; -- from, to

startstate "complete"
  for a: VERTEX do for b: VERTEX do
    arc[a][b] := a != b;
  end end;
end;

ruleset a: VERTEX; b: VERTEX do
  rule "take away an arc"
    arc[a][b]
  ==>
    arc[a][b] := false;
  end;
end;

invariant "no loops"
  forall a: VERTEX do !arc[a][a] end;
