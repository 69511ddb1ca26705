// expect: 2:10: 'missing' is not declared
ltl { [] missing }
init { skip }
