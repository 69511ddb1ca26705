-- expect: 2:8: the range 3..2 is empty
var x: 3..2;
startstate begin x := 0; b := true; end;
