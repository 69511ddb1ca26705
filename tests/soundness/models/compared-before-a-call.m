-- a record is compared before, or after, a function changes it
-- S is not symmetric
type S: enum {A, B}; R: record a: 0..1; end;
var r: array[S] of R; q: array[0..1] of R; x: boolean; v: array[S] of boolean;
function f(e: S): 0..1; begin r[e].a := 1; return 0; end;
ruleset e: S do startstate begin for i: S do r[i].a := 1; v[i] := i = e; end; r[e].a := 0; q[0].a := 0; q[1].a := 0; x := false; end; end;
rule "a" v[A] ==> begin x := r[A] = q[f(A)]; end;
rule "b" v[B] ==> begin alias k: q[f(B)] do x := r[B] = k; end; end;
invariant "x" !x;
