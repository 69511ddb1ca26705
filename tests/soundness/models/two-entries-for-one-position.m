-- of two new entries the first stands where another one was
-- S is not symmetric
type S: enum {A, B}; R: record w: S; h: boolean; end;
var net: multiset[3] of R; x: S; d: boolean;
procedure send(e: S); var o: R; begin o.w := e; o.h := false; multisetadd(o, net); end;
ruleset j: S do startstate var t: R; begin t.w := j; t.h := false; multisetadd(t, net); x := j; d := false; end; end;
choose m: net do rule "a" !d ==> begin multisetremove(m, net); send(A); send(B); net[m].h := true; d := true; end; end;
invariant "notA" !(d & (multisetcount(e: net, net[e].w = x & net[e].h) = 1));
