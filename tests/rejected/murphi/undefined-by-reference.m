-- expect: 5:14: parameter 'a' needs a variable
var x: 0..3; b: boolean;
procedure f(var a: boolean); begin end;
startstate begin x := 0; b := true; end;
rule begin f(UNDEFINED); end;
