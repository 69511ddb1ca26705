// expect: 3:17: 'run' cannot be in a d_step
proctype P() { skip }
init { d_step { run P() } }
