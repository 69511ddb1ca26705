-- expect: 3:20: a position in this multiset is needed, this is a number
var m: multiset[2] of boolean;
startstate begin m[0] := true; end;
