// expect: 3:8: 'full' cannot be negated, compared or computed with
chan q = [1] of { byte };
init { full(q) == 1 }
