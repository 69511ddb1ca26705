-- expect: 3:23: this model has no start state
var x: 0..3; b: boolean;
rule begin x := 1; end;
