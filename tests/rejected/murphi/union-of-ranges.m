-- expect: 2:17: a union is made of scalarsets and enums
type t: union { 0..1, enum { a } };
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
