// expect: 4:8: 'missing' is not declared
byte x;
#define SET x = missing
init { SET }
