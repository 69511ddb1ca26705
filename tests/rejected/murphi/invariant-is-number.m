-- expect: 4:11: what 'invariant' asks for must be a boolean, this is a number
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
invariant x + 1;
