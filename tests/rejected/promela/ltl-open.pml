// expect: 2:5: this brace is not closed
ltl { [] true
init { skip }
