// expect: 2:8: 'x' is not declared
init { x = 1 }
