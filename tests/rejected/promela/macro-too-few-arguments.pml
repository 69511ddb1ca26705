// expect: 4:8: the macro 'SET' takes 2 arguments, not 1
byte x;
#define SET(a, b) x = a + b
init { SET(1) }
