-- expect: 4:10: the value of a constant must be a constant
var x: 0..3; b: boolean;
function f(): boolean; begin return b; end;
const n: f();
startstate begin x := 0; b := true; end;
