-- an assumption ends the step before or after something is covered
-- S is not symmetric
type S: scalarset(2);
var a: array[S] of boolean; x: boolean;
ruleset s: S do startstate begin for i: S do a[i] := false; end; a[s] := true; x := false; end; end;
rule "both" for i: S do assume a[i]; cover a[i]; end; x := true; end;
