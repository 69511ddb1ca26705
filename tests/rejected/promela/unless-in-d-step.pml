// expect: 3:34: 'unless' cannot be in a d_step
byte x;
init { d_step { x = 1; { x = 2 } unless { x == 3 } } }
