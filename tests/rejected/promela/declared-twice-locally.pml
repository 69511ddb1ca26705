// expect: 2:20: 'x' is already declared
init { byte x; int x; skip }
