-- an assumption ends the step, or an assertion fails before
-- S is not symmetric
type S: scalarset(2);
var a: array[S] of boolean; b: array[S] of boolean;
ruleset s: S do startstate begin for i: S do a[i] := i = s; b[i] := i != s; end; end; end;
rule "both" for i: S do assume a[i]; assert "A" b[i]; end; end;
