-- expect: 4:11: 'f' is declared twice
var x: 0..3; b: boolean;
procedure f(); begin end;
procedure f(); begin end;
startstate begin x := 0; b := true; end;
