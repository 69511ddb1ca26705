// expect: 3:10: 'P' is already a proctype
proctype P() { skip }
proctype P() { skip }
init { run P() }
