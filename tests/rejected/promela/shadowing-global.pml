// expect: 3:12: 'x' is already declared
byte x;
init { int x; skip }
