-- expect: 4:17: both values of '?:' must have one type: one is a number, the other is a boolean
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin x := b ? 1 : false; end;
