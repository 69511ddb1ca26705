-- expect: 3:30: a function returns a value
var x: 0..3; b: boolean;
function f(): boolean; begin return; end;
startstate begin x := 0; b := true; end;
