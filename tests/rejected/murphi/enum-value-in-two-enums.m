-- expect: 2:38: 'two' is declared twice
type t: enum { one, two }; u: enum { two, three };
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
