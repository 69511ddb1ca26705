-- the successor of the last number is not the first
-- S is not symmetric
type S: 0..2;
var a: array[S] of boolean;
ruleset s: S do startstate for i: S do a[i] := i = s; end; end; end;
rule "shift" for i: S do if i > 0 then a[i - 1] := a[i]; end; end; end;
