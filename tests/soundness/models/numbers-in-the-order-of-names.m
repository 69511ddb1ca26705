-- entries without elements are added by statements that may change places and gone through
-- S is not symmetric
type S: enum {A, B}; R: record h: boolean; end;
var net: multiset[2] of R; a: array[S] of boolean; x: boolean; d: boolean;
function told(o: R): boolean; begin x := o.h; return true; end;
procedure send(b: boolean); var t: R; begin t.h := b; multisetadd(t, net); end;
ruleset s: S do startstate begin undefine net; for i: S do a[i] := false; end; a[s] := true; x := false; d := false; end; end;
rule "r" !d ==> begin send(a[A]); send(a[B]); d := multisetcount(e: net, told(net[e])) > 0; end;
invariant "xf" !x;
