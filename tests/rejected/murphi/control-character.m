-- expect: 4:6: '\x01' is no part of Murphi
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule  end;
