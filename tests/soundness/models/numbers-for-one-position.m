-- entries without elements are added in the order of turns; the first stands where another one was
-- S is not symmetric
type S: scalarset(2); R: record h: boolean; end;
var net: multiset[3] of R; a: array[S] of boolean; x: boolean; d: boolean;
ruleset s: S do startstate var t: R; begin t.h := false; multisetadd(t, net); for i: S do a[i] := false; end; a[s] := true; x := false; d := false; end; end;
choose m: net do rule "r" !d ==> var t: R; begin multisetremove(m, net); for i: S do t.h := a[i]; multisetadd(t, net); end; x := net[m].h; d := true; end; end;
invariant "xf" !x;
