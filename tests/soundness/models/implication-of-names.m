-- operands are exchanged, and the operator has an order
-- S is not symmetric
type S: enum {A, B};
var a: array[S] of boolean; x: boolean;
ruleset s: S do startstate begin for i: S do a[i] := false; end; a[s] := true; x := false; end; end;
rule "imply" x := a[A] -> a[B]; end;
invariant "never" !x;
