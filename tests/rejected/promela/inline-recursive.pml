// expect: 3:21: the inline 'f' calls itself
byte x;
inline f() { x = 1; f() }
init { f() }
