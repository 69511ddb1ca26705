-- expect: 4:14: the index of an array must have a simple type, this is a record
type pair: record l: boolean; r: 0..3; end;
var p: pair; q: pair;
var a: array[pair] of boolean;
startstate begin x := 0; b := true; end;
