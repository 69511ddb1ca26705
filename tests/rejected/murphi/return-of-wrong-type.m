-- expect: 3:37: the result must be a boolean, this is a number
var x: 0..3; b: boolean;
function f(): boolean; begin return x; end;
startstate begin x := 0; b := true; end;
