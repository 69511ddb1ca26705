// expect: 2:13: 'P' has no label 'here'
ltl { [] !P@here }
active proctype P() { skip }
