// expect: 3:12: expected the name of a proctype, found 'init'
proctype P() { skip }
init { run init() }
