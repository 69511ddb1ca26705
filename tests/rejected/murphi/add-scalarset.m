-- expect: 4:23: the left side of '+' must be a number, this is of type id
type id: scalarset(3);
var t: id; u: id;
startstate begin t := t + 1; end;
