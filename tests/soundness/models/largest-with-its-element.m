-- of several elements with the largest number one is kept
-- S is not symmetric
type S: scalarset(2);
var k: array[S] of 0..1; y: S;
ruleset s: S do startstate begin for i: S do k[i] := 1; end; y := s; end; end;
rule "largest" var n: 0..1; begin
  n := 0;
  for i: S do if k[i] > n then n := k[i]; y := i; end; end;
end;
