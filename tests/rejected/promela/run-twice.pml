// expect: 4:18: more than one 'run' in an expression
proctype P() { skip }
byte x;
init { run P() + run P() }
