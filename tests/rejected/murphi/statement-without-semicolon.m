-- expect: 4:19: expected ';', found 'b'
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin x := 1 b := true; end;
