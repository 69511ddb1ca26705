// expect: 2:22: 'x' is already declared
init { byte x; { int x; skip } }
