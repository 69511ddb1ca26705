-- expect: 2:18: expected ',' or '}', found 'b'
type t: enum { a b };
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
