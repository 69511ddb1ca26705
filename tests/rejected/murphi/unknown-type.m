-- expect: 2:8: there is no 'colour' here
var x: colour;
startstate begin x := 0; b := true; end;
