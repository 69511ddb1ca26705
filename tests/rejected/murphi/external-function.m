-- expect: 3:1: functions written in C++ are not supported
var x: 0..3; b: boolean;
externfun f(a: boolean): boolean "f.h";
startstate begin x := 0; b := true; end;
