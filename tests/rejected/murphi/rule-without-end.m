-- expect: 5:1: expected a statement, found the end of the text
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin x := 1;
