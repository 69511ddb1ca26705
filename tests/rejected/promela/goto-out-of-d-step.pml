// expect: 3:24: this jumps out of a d_step
byte x;
init { d_step { x = 1; goto L }; x = 2; L: skip }
