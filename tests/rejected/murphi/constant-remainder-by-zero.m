-- expect: 2:11: remainder of a division by zero
var x: 0..7 % 0;
startstate begin x := 0; b := true; end;
