-- expect: 3:5: with this, a state holds 20000000 values: at most 16777216 are possible
var a: array[1..10000000] of boolean;
    b: array[1..10000000] of boolean;
startstate begin x := 0; b := true; end;
