-- expect: 4:1: expected a declaration, a function or a rule, found 'hello'
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
hello
