-- expect: 4:37: isundefined asks about a simple variable, this is a record
type pair: record l: boolean; r: 0..3; end;
var p: pair; q: pair;
startstate begin p.l := isundefined(p); end;
