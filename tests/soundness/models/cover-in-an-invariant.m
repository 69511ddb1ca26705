-- a function in an invariant covers something before the quantifier is decided
-- S is symmetric only if quantifiers look at all elements
type S: enum {A, B, C};
var a: array[S] of boolean; b: array[S] of boolean;
function look(s: S): boolean; begin cover b[s]; return a[s]; end;
ruleset s: S do startstate begin for i: S do a[i] := i = s; b[i] := i != s; end; end; end;
rule "rest" a := b; end;
invariant "some" exists i: S do look(i) end;
