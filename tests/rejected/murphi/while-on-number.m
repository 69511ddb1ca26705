-- expect: 4:18: the condition of 'while' must be a boolean, this is a number
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin while x do x := 0; end; end;
