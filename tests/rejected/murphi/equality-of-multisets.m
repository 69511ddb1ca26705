-- expect: 4:6: multisets cannot be compared
var m: multiset[2] of boolean; n: multiset[2] of boolean;
startstate begin end;
rule m = n ==> end;
