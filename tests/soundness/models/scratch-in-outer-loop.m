-- the scratch variable is written in the inner loop and read in the outer one
-- S is not symmetric
type S: scalarset(2);
var a: array[S] of boolean; x: boolean;
ruleset s: S do startstate begin for i: S do a[i] := false; end; a[s] := true; x := false; end; end;
rule "last" var lo: boolean; begin for turn: 0..1 do for i: S do lo := a[i]; end; x := lo; end; end;
invariant "never" !x;
