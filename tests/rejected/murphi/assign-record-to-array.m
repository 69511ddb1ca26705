-- expect: 5:23: the value of this assignment must be an array, this is a record
type pair: record l: boolean; r: 0..3; end;
var p: pair; q: pair;
var a: array[0..1] of boolean;
startstate begin a := p; end;
