-- expect: 4:17: the value of this assignment must be a number, this is a boolean
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin x := b; end;
