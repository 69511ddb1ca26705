-- expect: 5:16: expected ',' or ')', found 'b'
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
procedure p(a: boolean; c: boolean); begin end;
rule begin p(b b); end;
