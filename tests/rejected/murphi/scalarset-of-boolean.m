-- expect: 2:19: the size of a scalarset must be a number, this is a boolean
type t: scalarset(true);
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
