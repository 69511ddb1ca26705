-- expect: 2:35: 'e' is in this union twice
type e: enum { a }; t: union { e, e };
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
