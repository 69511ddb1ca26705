-- expect: 2:28: 'a' is declared twice
type t: record a: boolean; a: boolean; end;
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
