-- expect: 4:12: '[' belongs behind an array, this is a number
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin x[0] := 1; end;
