-- expect: 2:10: this number is beyond 64 bits (with sign)
const n: 9223372036854775808;
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
