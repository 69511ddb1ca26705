-- expect: 4:21: the right side of '+' must be a number, this is a boolean
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin x := x + b; end;
