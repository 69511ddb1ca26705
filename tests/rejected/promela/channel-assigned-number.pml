// expect: 3:12: a channel cannot be a number
chan q;
init { q = 3 }
