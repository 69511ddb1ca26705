-- expect: 5:12: this is no variable, it cannot be changed
const n: 1;
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin n := 2; end;
