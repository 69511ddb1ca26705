-- expect: 2:10: real numbers are not supported
const n: 1.5;
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
