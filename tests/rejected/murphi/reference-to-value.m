-- expect: 5:14: parameter 'a' is changed by the call: it needs a variable that may be assigned to
var x: 0..3; b: boolean;
procedure f(var a: boolean); begin end;
startstate begin x := 0; b := true; end;
rule begin f(true); end;
