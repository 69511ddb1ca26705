// expect: 3:8: 't' is not declared
proctype P() { byte t; t = 1 }
init { t = 2 }
