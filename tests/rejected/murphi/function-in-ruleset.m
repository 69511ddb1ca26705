-- expect: 5:3: expected a rule, found 'function'
var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
ruleset i: 0..1 do
  function f(): boolean; begin return b; end;
end;
