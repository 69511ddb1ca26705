// expect: 3:9: 'empty' cannot be negated, compared or computed with
chan q = [1] of { byte };
init { !empty(q) }
