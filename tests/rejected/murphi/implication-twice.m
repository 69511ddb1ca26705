-- expect: 4:13: '->' after '->' means nothing
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule b -> b -> b ==> end;
