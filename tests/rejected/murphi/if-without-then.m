-- expect: 4:17: expected 'then', found 'x'
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin if b x := 1; end; end;
