// expect: 3:12: 'P' takes 1 argument, not 2
proctype P(byte a) { skip }
init { run P(1, 2) }
