-- expect: 4:26: the bound of a loop must be a number, this is a boolean
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin for i := 0 to b do end; end;
