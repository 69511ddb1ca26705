-- expect: 4:19: only a function returns a value
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin return x; end;
