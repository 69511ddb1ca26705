// expect: 4:16: the inline 'f' can only be a statement
inline f() { skip }
byte x;
init { x = 1 + f() }
