// expect: 3:6: 'a' is already a constant of an mtype
mtype = { a }
byte a;
init { skip }
