-- entries without elements are added in the order of turns and gone through
-- S is not symmetric
type S: scalarset(2); R: record h: boolean; end;
var net: multiset[2] of R; a: array[S] of boolean; x: boolean; d: boolean;
function told(o: R): boolean; begin x := o.h; return true; end;
ruleset s: S do startstate begin undefine net; for i: S do a[i] := false; end; a[s] := true; x := false; d := false; end; end;
rule "r" !d ==> var t: R; begin for i: S do t.h := a[i]; multisetadd(t, net); end; d := multisetcount(e: net, told(net[e])) > 0; end;
invariant "xf" !x;
