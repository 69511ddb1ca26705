-- expect: 3:20: the index of this array must be a boolean, this is a number
var a: array[boolean] of 0..1;
startstate begin a[1] := 0; end;
