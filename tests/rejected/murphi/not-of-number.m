-- expect: 4:7: the operand of '!' must be a boolean, this is a number
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule !x ==> end;
