-- what is undefined is read behind the test that it is defined, or before it
-- S is not symmetric
type S: enum {A, B};
var v: array[S] of boolean; z: boolean; w: boolean;
ruleset j: S do startstate begin for i: S do v[i] := true; end; undefine v[j]; z := false; w := false; end; end;
rule "never" z & v[A] ==> begin w := !w; end;
rule "never" z & v[B] ==> begin w := !w; end;
rule "b" v[B] & !isundefined(v[B]) ==> begin w := true; end;
rule "a" !isundefined(v[A]) & v[A] ==> begin w := true; end;
