-- a bag gets too full in one turn, an assertion fails in another
-- S is not symmetric
type S: scalarset(2); R: record w: S; end;
var a: array[S] of boolean; net: multiset[1] of R; x: boolean;
ruleset s: S do startstate begin for i: S do a[i] := false; end; a[s] := true; x := false; undefine net; end; end;
rule "fill" var o: R; begin for i: S do o.w := i; multisetadd(o, net); assert "A" a[i]; end; end;
