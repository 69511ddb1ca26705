-- a quantifier that uses its own name passes the making of a name that another one uses
-- S is not symmetric
type S: enum {A, B}; K: 0..1;
var x: array[K] of boolean; t: K; y: S; z: boolean;
startstate begin for k: K do x[k] := false; end; undefine y; z := false; t := 0; end;
ruleset k: K do rule "flip" begin x[k] := !x[k]; end; end;
rule "one" begin alias q: x[t] do z := exists p: K do q end; y := A; end; end;
rule "all" begin z := exists p: K do x[p] end; alias q: x[t] do y := B; end; end;
