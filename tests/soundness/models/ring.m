-- every number has a successor, modulo the size
-- S is symmetric
type S: 0..2;
var a: array[S] of boolean;
startstate for i: S do a[i] := false; end; end;
ruleset i: S do rule "step" !a[(i + 1) % 3] ==> a[i] := !a[i]; end; end;
