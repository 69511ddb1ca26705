// expect: 4:12: expected ';' or the end of the sequence, found '+'
chan q = [1] of { byte };
byte x;
init { q?x + 1 }
