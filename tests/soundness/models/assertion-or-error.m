-- an assertion fails in one turn, an undefined value is read in another
-- S is not symmetric
type S: scalarset(2);
var a: array[S] of boolean; m: array[S] of S;
ruleset s: S do startstate begin for i: S do a[i] := true; m[i] := i; end; undefine m[s]; end; end;
ruleset i: S do rule "clear" a[i] := false; end; end;
rule "both" for i: S do assert "A" a[i]; m[i] := (m[i] = i ? i : m[i]); end; end;
