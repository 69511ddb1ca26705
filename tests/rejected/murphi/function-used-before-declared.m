-- expect: 4:22: there is no 'q' here
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
procedure p(); begin q(); end;
procedure q(); begin end;
