// expect: 3:8: this jumps into a d_step
byte x;
init { goto L; d_step { x = 1; L: x = 2 } }
