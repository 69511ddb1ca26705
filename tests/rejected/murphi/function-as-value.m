-- expect: 5:6: 'f' is a function: call it with ()
var x: 0..3; b: boolean;
function f(): boolean; begin return b; end;
startstate begin x := 0; b := true; end;
rule f ==> end;
