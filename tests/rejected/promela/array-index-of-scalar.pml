// expect: 3:8: 'x' is no array
byte x;
init { x[0] = 1 }
