-- expect: 5:17: 'f' is a procedure: it has no result
var x: 0..3; b: boolean;
procedure f(); begin end;
startstate begin x := 0; b := true; end;
rule begin x := f(); end;
