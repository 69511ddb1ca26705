// expect: 3:13: 'P' has no local 'y'
proctype P() { byte x; skip }
init { P[1]:y == 1 }
