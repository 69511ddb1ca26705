-- one turn clears a bag, another an entry of it
-- S is not symmetric
type S: scalarset(2); R: record h: boolean; end; M: multiset[2] of R;
var net: M; a: array[S] of boolean;
ruleset s: S do startstate var t: R; begin t.h := false; multisetadd(t, net); for i: S do a[i] := false; end; a[s] := true; end; end;
choose m: net do rule "r" begin for i: S do if a[i] then clear net; else clear net[m]; end; end; end; end;
