-- expect: 5:6: these are never equal: one is of type c, the other is of type d
var c: enum { red, green };
var d: enum { up, down };
startstate begin end;
rule c = d ==> end;
