-- expect: 2:10: 9223372036854775807 * 2 is beyond 64 bits
const n: 9223372036854775807 * 2;
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
