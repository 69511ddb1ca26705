-- expect: 4:6: the left side of '<' must be a number, this is of type c
var c: enum { red, green };
startstate begin c := red; end;
rule c < green ==> end;
