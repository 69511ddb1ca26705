-- expect: 5:17: 't' is a type, not a value
type t: 0..3;
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin x := t; end;
