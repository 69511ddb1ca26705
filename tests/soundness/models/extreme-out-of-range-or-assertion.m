-- a value is too large in one turn, an assertion fails in another
-- S is not symmetric
type S: scalarset(2);
var a: array[S] of boolean; k: array[S] of 0..3; x: 0..1;
ruleset s: S do startstate begin for i: S do a[i] := true; k[i] := 0; end; for i: S do if i != s then a[i] := false; end; end; k[s] := 3; x := 0; end; end;
rule "r" for i: S do assert "A" a[i]; if k[i] > x then x := k[i]; end; end; end;
