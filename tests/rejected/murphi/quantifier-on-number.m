-- expect: 4:24: what stands in 'forall' must be a boolean, this is a number
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule forall i: 0..3 do i end ==> end;
