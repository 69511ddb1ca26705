-- expect: 2:5: expected a name, found 'rule'
var rule: boolean;
startstate begin x := 0; b := true; end;
