-- a value that is too large ends the step before or after something is covered
-- S is not symmetric
type S: scalarset(2);
var a: array[S] of boolean; k: array[S] of 0..3; x: 0..1;
ruleset s: S do startstate begin for i: S do a[i] := false; k[i] := 0; end; a[s] := true; k[s] := 3; x := 0; end; end;
rule "r" for i: S do cover !a[i]; if k[i] > x then x := k[i]; end; end; end;
