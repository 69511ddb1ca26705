-- expect: 2:9: a scalarset of 1000000000 elements: at most 65536 are possible
type t: scalarset(1000000000);
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
