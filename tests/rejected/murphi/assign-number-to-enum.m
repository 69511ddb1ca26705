-- expect: 4:17: the value of this assignment must be of type c, this is a number
var c: enum { red, green };
startstate begin  end;
rule begin c := 1; end;
