-- expect: 4:31: this may be read, but not changed
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
ruleset i: 0..3 do rule begin i := 0; end; end;
