// expect: 2:11: 'a' is already a constant of this mtype
mtype = { a, b, a }
init { skip }
