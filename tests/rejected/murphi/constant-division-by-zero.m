-- expect: 2:16: division by zero
const n: 0; m: 4 / n;
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
