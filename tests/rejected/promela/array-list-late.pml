// expect: 2:26: a list of values must be at the start of a process
init { skip; byte a[2] = { 1, 2 } }
