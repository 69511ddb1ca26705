-- expect: 4:1: this comment is not closed
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
/* here it ends
