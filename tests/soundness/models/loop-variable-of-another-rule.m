-- a local has the name of another rule's loop variable
-- S is symmetric
type S: scalarset(2);
var a: array[S] of boolean; y: S;
ruleset s: S do startstate begin for i: S do a[i] := false; end; y := s; end; end;
rule "turn" for i: S do a[i] := !a[i]; end; end;
ruleset s: S do rule "take" var i: S; begin i := s; y := i; end; end;
