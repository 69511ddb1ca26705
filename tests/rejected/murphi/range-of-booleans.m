-- expect: 2:8: the bound of a range must be a number, this is a boolean
var x: false..true;
startstate begin x := 0; b := true; end;
