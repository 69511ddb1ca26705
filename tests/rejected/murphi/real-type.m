-- expect: 2:8: real numbers are not supported
var r: real(3, 2);
startstate begin x := 0; b := true; end;
