-- expect: 2:22: 'a' is declared twice
type t: enum { a, b, a };
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
