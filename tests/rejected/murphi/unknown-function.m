-- expect: 4:6: there is no 'f' here
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule f(x) ==> end;
