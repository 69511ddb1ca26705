-- expect: 5:14: parameter 'a' must be a boolean, this is a number
var x: 0..3; b: boolean;
procedure f(a: boolean); begin end;
startstate begin x := 0; b := true; end;
rule begin f(x); end;
