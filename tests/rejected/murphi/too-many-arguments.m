-- expect: 5:12: 'f' takes 1 argument, here are 2
var x: 0..3; b: boolean;
procedure f(a: boolean); begin end;
startstate begin x := 0; b := true; end;
rule begin f(b, b); end;
