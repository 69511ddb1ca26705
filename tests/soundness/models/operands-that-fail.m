-- the first operand decides, the second is undefined
-- S is not symmetric
type S: enum {A, B};
var a: array[S] of boolean; x: boolean;
ruleset s: S do startstate begin for i: S do a[i] := true; end; undefine a[s]; x := false; end; end;
rule "either" x := a[A] | a[B]; end;
