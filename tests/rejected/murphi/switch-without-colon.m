-- expect: 4:28: expected ':', found 'x'
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule begin switch x case 1 x := 2; end; end;
