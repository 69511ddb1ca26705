-- expect: 4:22: 'a' is declared twice
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule var a: boolean; a: boolean; begin end;
