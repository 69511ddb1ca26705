-- expect: 4:6: the guard of a rule must be a boolean, this is a number
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule x ==> end;
