// expect: 3:8: the label 'L' cannot be here
byte x;
init { L: x = 1 unless x == 2 }
