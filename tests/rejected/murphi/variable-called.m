-- expect: 4:12: 'x' is no function
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin x(); end;
