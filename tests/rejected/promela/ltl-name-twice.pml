// expect: 3:5: there is already a claim 'p'
ltl p { true }
ltl p { false }
init { skip }
