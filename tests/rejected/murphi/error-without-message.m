-- expect: 4:17: expected a string, found ';'
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin error; end;
