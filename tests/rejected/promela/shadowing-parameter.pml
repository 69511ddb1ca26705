// expect: 2:26: 'x' is already declared
proctype P(byte x) { int x; skip }
init { run P(1) }
