-- a turn ends the rule, so that later turns do not happen
-- S is not symmetric
type S: scalarset(2);
var a: array[S] of boolean; b: array[S] of boolean;
ruleset s: S do startstate begin for i: S do a[i] := i = s; b[i] := false; end; end; end;
rule "until" for i: S do if a[i] then return; end; b[i] := true; end; end;
