-- expect: 4:20: this record has no field 'm'
type pair: record l: boolean; r: 0..3; end;
var p: pair; q: pair;
startstate begin p.m := true; end;
