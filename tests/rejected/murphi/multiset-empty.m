-- expect: 2:17: this multiset has room for 0 entries
var m: multiset[0] of boolean;
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
