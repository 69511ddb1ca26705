-- Every directed graph on N vertices, each once: as many orbits as directed graphs up to isomorphism.
--
-- As in graphs.m, but an arc goes one way, and is taken away alone (Junttila 2003, Section 7.7). The graph
-- without arcs is a deadlock.
--
-- There are 2^(N*(N-1)) directed graphs; those up to isomorphism are sequence A000273 of the OEIS.
--
-- expect: states 4096, orbits 218, group 24

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
