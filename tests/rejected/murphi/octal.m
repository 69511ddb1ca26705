-- expect: 2:10: 08 is no number: a leading zero makes it octal
const n: 08;
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
