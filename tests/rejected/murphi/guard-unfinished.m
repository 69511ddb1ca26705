-- expect: 4:10: expected an expression, found '==>'
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule x + ==> x := 1; end;
