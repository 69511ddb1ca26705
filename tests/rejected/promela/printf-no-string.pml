// expect: 3:15: expected a string, found 'x'
byte x;
init { printf(x) }
