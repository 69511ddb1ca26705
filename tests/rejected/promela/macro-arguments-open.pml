// expect: 4:8: the arguments of the macro 'SET' are not closed
byte x;
#define SET(v) x = v
init { SET(1 }
