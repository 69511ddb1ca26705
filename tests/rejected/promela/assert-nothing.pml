// expect: 2:15: expected an expression, found ')'
init { assert() }
