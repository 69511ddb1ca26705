-- the last turn's value goes through a parameter by reference
-- S is not symmetric
type S: scalarset(2);
var a: array[S] of boolean; x: boolean;
procedure get(s: S; var o: boolean); begin o := a[s]; end;
ruleset s: S do startstate begin for i: S do a[i] := false; end; a[s] := true; x := false; end; end;
rule "last" var lo: boolean; begin for i: S do get(i, lo); x := lo; end; end;
invariant "never" !x;
