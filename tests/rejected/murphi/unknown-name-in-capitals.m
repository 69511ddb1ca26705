-- expect: 4:12: there is no 'X' here
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin X := 1; end;
