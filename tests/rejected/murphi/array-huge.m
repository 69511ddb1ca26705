-- expect: 2:8: this holds 1000000000 values: at most 16777216 are possible
var a: array[1..1000000000] of boolean;
startstate begin x := 0; b := true; end;
