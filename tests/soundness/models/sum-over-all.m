-- a sum does not depend on the order of its terms
-- S is symmetric
type S: scalarset(3);
var a: array[S] of boolean; n: 0..3;
startstate for i: S do a[i] := false; end; n := 0; end;
ruleset i: S do rule "turn" a[i] := !a[i]; end; end;
rule "sum" var at: 0..3; begin at := 0; for i: S do at := at + (a[i] ? 1 : 0); end; n := at; end;
