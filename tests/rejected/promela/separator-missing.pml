// expect: 3:14: expected ';' or the end of the sequence, found 'x'
byte x;
init { x = 1 x = 2 }
