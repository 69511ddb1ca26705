// expect: 2:8: 'return' is not in an inline
init { return 1 }
