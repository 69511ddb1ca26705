// expect: 2:11: the capacity of a channel cannot be negative
chan q = [-1] of { byte };
init { skip }
