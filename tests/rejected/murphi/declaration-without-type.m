-- expect: 2:6: expected ':', found ';'
var x;
startstate begin x := 0; b := true; end;
