// expect: 3:8: nothing can be computed with a channel
chan q = [1] of { byte };
init { q++ }
