-- expect: 4:12: '.a' belongs behind a record, this is a number
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin x.a := 1; end;
