// expect: 3:20: this range is empty
byte x;
init { select (x : 3 .. 1) }
