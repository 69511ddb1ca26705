-- expect: 5:14: parameter 'a' is of type 0..2, this is of type 0..3
var x: 0..3; b: boolean;
procedure f(var a: 0..2); begin end;
startstate begin x := 0; b := true; end;
rule begin f(x); end;
