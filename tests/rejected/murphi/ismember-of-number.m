-- expect: 4:18: ismember asks for a scalarset or an enum, this is a boolean
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule ismember(x, boolean) ==> end;
