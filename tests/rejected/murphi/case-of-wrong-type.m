-- expect: 4:26: these are never equal: one is a number, the other is a boolean
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin switch x case true: end; end;
