-- the scratch variable is one of the state and is reset at the end
-- S is not symmetric
type S: scalarset(2);
var a: array[S] of boolean; b: array[S] of boolean; x: boolean;
ruleset s: S do startstate begin for i: S do a[i] := false; b[i] := false; end; a[s] := true; x := false; end; end;
rule "pass on" for i: S do b[i] := x; x := a[i]; end; x := false; end;
