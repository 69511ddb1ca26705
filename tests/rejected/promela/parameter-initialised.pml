// expect: 2:17: a parameter cannot be initialised
proctype P(byte a = 1) { skip }
init { skip }
