-- expect: 3:8: 'x' is no type
var x: 0..3; b: boolean;
var y: x;
startstate begin x := 0; b := true; end;
