-- expect: 3:5: 'x' is declared twice
var x: 0..3; b: boolean;
var x: boolean;
startstate begin x := 0; b := true; end;
