-- expect: 5:16: a bound name must have a simple type, this is a record
type pair: record l: boolean; r: 0..3; end;
var p: pair; q: pair;
startstate begin end;
rule forall i: pair do true end ==> end;
