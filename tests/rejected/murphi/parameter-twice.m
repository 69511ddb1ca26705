-- expect: 3:25: 'a' is declared twice
var x: 0..3; b: boolean;
procedure f(a: boolean; a: boolean); begin end;
startstate begin x := 0; b := true; end;
