// expect: 4:17: expected an expression, found '}'
byte x;
#define SET(v) x = v
init { SET(1 +) }
