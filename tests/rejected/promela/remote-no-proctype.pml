// expect: 2:8: 'Q' is not declared
init { Q[1]@L }
