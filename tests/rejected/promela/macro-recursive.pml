// expect: 4:12: 'again' is not declared
byte x;
#define again again + 1
init { x = again }
