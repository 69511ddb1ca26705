-- expect: 4:12: there is no 'y' here
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin y := 1; end;
