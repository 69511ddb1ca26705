// expect: 4:12: nothing can be computed with a channel
chan q = [1] of { byte };
byte x;
init { x = q + 1 }
