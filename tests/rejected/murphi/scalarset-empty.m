-- expect: 2:9: a scalarset of 0 elements
type t: scalarset(0);
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
