// expect: 4:8: the macro 'SET' takes 1 argument, not 2
byte x;
#define SET(a) x = a
init { SET(1, 2) }
