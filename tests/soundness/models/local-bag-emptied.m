-- an entry of a local bag is written in one turn, another turn empties the bag
-- S is not symmetric
type S: scalarset(2); R: record h: boolean; end; M: multiset[2] of R;
var net: M; a: array[S] of boolean;
ruleset s: S do startstate var t: R; begin t.h := false; multisetadd(t, net); for i: S do a[i] := false; end; a[s] := true; end; end;
choose m: net do rule "r" var lb: M; begin lb := net; for i: S do if a[i] then undefine lb; else lb[m].h := true; end; end; end; end;
