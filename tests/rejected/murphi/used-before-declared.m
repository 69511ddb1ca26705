-- expect: 2:18: there is no 'x' here
startstate begin x := 0; end;
var x: 0..3; b: boolean;
