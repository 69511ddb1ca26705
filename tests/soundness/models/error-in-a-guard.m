-- a function in a quantified guard fails by its own error or for want of a result
-- S is symmetric only if quantifiers look at all elements
type S: enum {A, B};
var a: array[S] of boolean; x: boolean;
function asked(s: S): boolean; begin if a[s] then error "E"; end; end;
ruleset s: S do startstate begin for i: S do a[i] := false; end; a[s] := true; x := false; end; end;
rule "asks" exists i: S do asked(i) end ==> x := !x; end;
