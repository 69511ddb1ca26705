-- expect: 2:9: this holds 1000000000 values: at most 16777216 are possible
type t: array[1..1000] of array[1..1000] of array[1..1000] of 0..1;
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
