-- expect: 2:20: expected 'of', found 'boolean'
var x: array[0..1] boolean;
startstate begin x := 0; b := true; end;
