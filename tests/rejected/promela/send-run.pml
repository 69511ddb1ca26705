// expect: 4:8: 'run' cannot be in a message
chan q = [1] of { byte };
proctype P() { skip }
init { q!run P() }
