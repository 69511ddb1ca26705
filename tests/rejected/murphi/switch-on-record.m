-- expect: 4:25: 'switch' needs a simple value, this is a record
type pair: record l: boolean; r: 0..3; end;
var p: pair; q: pair;
startstate begin switch p end; end;
