// expect: 3:12: 'y' is not declared
byte x;
init { x = y + 1 }
