-- a loop that uses its own name passes the making of a name that another loop uses
-- S is not symmetric
type S: enum {A, B}; K: 0..1;
var x: array[K] of S; t: K;
startstate begin undefine x; t := 0; end;
rule "flip" begin if t = 0 then t := 1; else t := 0; end; end;
rule "one" begin alias q: x[t] do for p: K do q := A; end; end; end;
rule "all" begin for p: K do x[p] := B; end; alias q: x[t] do end; end;
