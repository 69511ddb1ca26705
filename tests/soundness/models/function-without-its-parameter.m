-- a function does not read its parameter, which may be undefined
-- S is symmetric
type S: 0..2;
var y: S; b: array[S] of boolean; x: boolean;
function same(s: S): boolean; begin return true; end;
startstate begin undefine y; for i: S do b[i] := false; end; x := false; end;
ruleset i: S do rule "set" b[i] := true; end; end;
rule "ask" x := same(y); end;
