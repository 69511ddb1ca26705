-- a number is compared with one number twice, once as it is written and once as a variable holds it
-- S is not symmetric
type S: enum {A, B};
var x: 0..2; y: S;
startstate begin x := 0; undefine y; end;
rule "inc" x < 2 ==> begin x := x + 1; end;
rule "r1" x = 1 ==> var v: 0..3; begin v := 1; if x = 1 then y := A; elsif x = v then y := B; end; end;
rule "r2" x = 1 ==> var v: 0..3; begin v := 1; if x = v then y := A; elsif x = 1 then y := B; end; end;
