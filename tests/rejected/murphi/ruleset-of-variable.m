-- expect: 4:19: the bound of a ruleset must be a constant
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
ruleset i := 0 to x do rule begin end; end;
