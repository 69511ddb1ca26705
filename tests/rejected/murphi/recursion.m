-- expect: 4:10: 'f' calls itself: recursion is not supported
var x: 0..3; b: boolean;
function f(n: 0..3): 0..3; begin
  return f(n - 1);
end;
startstate begin x := 0; b := true; end;
