-- a scratch variable is written before it is read in each turn
-- S is symmetric
type S: scalarset(2);
var a: array[S] of boolean; b: array[S] of boolean;
ruleset s: S do startstate for i: S do a[i] := i = s; b[i] := false; end; end; end;
rule "copy" var lo: boolean; begin for i: S do lo := !a[i]; b[i] := lo; end; end;
