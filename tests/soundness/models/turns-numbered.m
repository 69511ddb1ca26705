-- elements are stored at the numbers of their turns
-- S is not symmetric
type S: scalarset(2);
var a: array[S] of boolean; y: S;
ruleset s: S do startstate begin for i: S do a[i] := true; end; y := s; end; end;
rule "number" var at: 0..2; lo: array[0..1] of S; begin
  at := 0;
  for i: S do lo[at] := i; at := at + 1; end;
  y := lo[0];
end;
