-- expect: 3:7: 'x' is declared twice
var x: 0..3; b: boolean;
const x: 1;
startstate begin x := 0; b := true; end;
