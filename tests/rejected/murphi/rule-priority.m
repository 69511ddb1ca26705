-- expect: 4:6: priorities of rules are not supported
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule 5 "urgent" b ==> end;
