-- expect: 3:29: this may be read, but not changed
var x: 0..3; b: boolean;
procedure f(a: 0..3); begin a := 1; end;
startstate begin x := 0; b := true; end;
