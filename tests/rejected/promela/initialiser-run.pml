// expect: 3:17: 'run' cannot be in an initialiser
proctype P() { skip }
init { byte x = run P() }
