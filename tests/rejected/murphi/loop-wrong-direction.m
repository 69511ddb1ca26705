-- expect: 4:31: steps of -1 do not lead from 0 to 3
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin for i := 0 to 3 by -1 do end; end;
