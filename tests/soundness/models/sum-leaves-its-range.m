-- a sum leaves its range on the way, in one order of turns only
-- S is not symmetric
type S: scalarset(2);
var a: array[S] of boolean; n: 0..1;
ruleset s: S do startstate begin for i: S do a[i] := i = s; end; n := 0; end; end;
rule "sum" for i: S do n := (a[i] ? n + 1 : n - 1); end; end;
