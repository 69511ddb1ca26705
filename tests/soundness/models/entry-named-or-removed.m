-- an alias names an entry before it is removed, or afterwards
-- S is not symmetric
type S: enum {A, B}; R: record w: S; h: boolean; end;
var net: multiset[2] of R; x: S; c: array[S] of boolean;
ruleset j: S do startstate var t: R; begin t.w := j; t.h := false; multisetadd(t, net); x := j; for i: S do c[i] := false; end; end; end;
choose m: net do rule "a" net[m].w = A ==> begin alias r: net[m] do multisetremove(m, net); end; end; end;
choose m: net do rule "b" net[m].w = B ==> begin multisetremove(m, net); alias r: net[m] do end; end; end;
