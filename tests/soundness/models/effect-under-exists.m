-- a function under a quantifier changes the state until the quantifier is decided
-- S is symmetric only if quantifiers look at all elements
type S: scalarset(2);
var a: array[S] of boolean; b: array[S] of boolean; x: boolean;
function asked(s: S): boolean; begin b[s] := true; return a[s]; end;
ruleset s: S do startstate begin for i: S do a[i] := false; b[i] := false; end; a[s] := true; x := false; end; end;
rule "asks" x := exists i: S do asked(i) end; end;
