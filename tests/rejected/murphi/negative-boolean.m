-- expect: 4:18: the operand of '-' must be a number, this is a boolean
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin x := -b; end;
