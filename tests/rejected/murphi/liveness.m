-- expect: 4:1: liveness properties are not supported
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
liveness "b again" b;
