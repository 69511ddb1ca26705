-- what is undefined is read behind an assumption that it is defined, or before it
-- S is not symmetric
type S: enum {A, B};
var v: array[S] of boolean; z: boolean; w: boolean;
ruleset j: S do startstate begin for i: S do v[i] := true; end; undefine v[j]; z := false; w := false; end; end;
rule "never" z ==> begin w := !v[A]; end;
rule "never" z ==> begin w := !v[B]; end;
rule "b" begin w := !v[B]; assume !isundefined(v[B]);  end;
rule "a" begin assume !isundefined(v[A]); w := !v[A]; end;
