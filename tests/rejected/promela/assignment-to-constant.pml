// expect: 3:8: expected a variable, 'a' is a constant of an mtype
mtype = { a }
init { a = 1 }
