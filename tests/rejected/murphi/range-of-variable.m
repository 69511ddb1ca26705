-- expect: 3:11: the bound of a range must be a constant
var x: 0..3; b: boolean;
var y: 0..x;
startstate begin x := 0; b := true; end;
