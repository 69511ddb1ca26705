-- expect: 4:11: a multiset is needed, this is an array
var a: array[0..1] of boolean;
startstate begin end;
choose i: a do rule begin end; end;
