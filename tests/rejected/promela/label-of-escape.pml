// expect: 3:23: the label 'L' cannot be here
byte x;
init { x = 1 unless { L: x == 2 } }
