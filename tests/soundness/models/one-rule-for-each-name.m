-- the same rule for each name, but assertions with names of their own
-- S is not symmetric
type S: enum {A, B};
var a: array[S] of boolean;
startstate for i: S do a[i] := true; end; end;
rule "A" assert "a" a[A]; a[A] := !a[A]; end;
rule "B" assert "b" a[B]; a[B] := !a[B]; end;
