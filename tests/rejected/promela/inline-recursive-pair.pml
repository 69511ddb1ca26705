// expect: 4:14: the inline 'f' calls itself
byte x;
inline f() { x = 1; g() }
inline g() { f() }
init { f() }
