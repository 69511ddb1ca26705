// expect: 3:1: expected '{', found 'init'
proctype P()
init { skip }
