-- Every undirected graph on N vertices, each once: as many orbits as graphs up to isomorphism.
--
-- A hard case for canonical forms, as a state is a graph and nothing else (Junttila 2003, Section 7.7, after
-- Theorem 3.4 of Ip 1996). The search begins with the complete graph and takes away one edge at a time, in the
-- order of either end, so that 2e rules fire in a graph with e edges. The empty graph is a deadlock.
--
-- There are 2^(N*(N-1)/2) graphs; those up to isomorphism are sequence A000088 of the OEIS.
--
-- with: --no-deadlock
-- expect: states 32768, transitions 491520, deadlocks 1
-- expect: orbits 156, edges 2340, dead orbits 1, group 720
-- expect N=4: states 64, orbits 11, edges 66, group 24
-- expect N=5: states 1024, orbits 34, edges 340, group 120
-- expect N=7: states 2097152, orbits 1044, edges 21924, group 5040
-- expect N=8: states 268435456, orbits 12346, edges 345688, group 40320

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
