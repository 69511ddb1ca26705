-- Every undirected graph on N vertices, each once: as many orbits as graphs up to isomorphism.
--
-- A hard case for canonical forms, as a state is a graph and nothing else (Junttila 2003, Section 7.7, after
-- Theorem 3.4 of Ip 1996). The search begins with the complete graph and takes away one edge at a time, in the
-- order of either end, so that a graph with e edges has 2e successors. The empty graph is a deadlock.
--
-- There are 2^(N*(N-1)/2) graphs; those up to isomorphism are sequence A000088 of the OEIS.
--
-- expect: states 32768, orbits 156, group 720

const
  N: 6;

type
  VERTEX: scalarset(N);

var
  joined: array[VERTEX] of array[VERTEX] of boolean;

startstate "complete"
  for a: VERTEX do for b: VERTEX do
    joined[a][b] := a != b;
  end end;
end;

ruleset a: VERTEX; b: VERTEX do
  rule "take away an edge"
    joined[a][b]
  ==>
    joined[a][b] := false;
    joined[b][a] := false;
  end;
end;

invariant "no loops, no directions"
  forall a: VERTEX do
    !joined[a][a] & forall b: VERTEX do joined[a][b] = joined[b][a] end
  end;
