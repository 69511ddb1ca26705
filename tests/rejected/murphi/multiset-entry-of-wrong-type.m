-- expect: 3:30: an entry of this multiset must be a boolean, this is a number
var m: multiset[2] of boolean; x: 0..3;
startstate begin MultiSetAdd(x, m); end;
