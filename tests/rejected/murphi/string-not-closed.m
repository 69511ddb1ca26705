-- expect: 4:6: this string is not closed
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule "a begin end;
