-- an alias keeps the place of an index that turns change
-- S is not symmetric
type S: scalarset(2);
var a: array[S] of boolean; y: S;
ruleset s: S do startstate begin for i: S do a[i] := false; end; y := s; end; end;
rule "move" for i: S do alias at: a[y] do y := i; at := !at; end; end; end;
