// expect: 2:11: expected the name of a constant
mtype = { }
init { skip }
