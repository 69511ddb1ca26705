-- expect: 4:12: liveness is no statement: it belongs among the rules
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin liveness b; end;
