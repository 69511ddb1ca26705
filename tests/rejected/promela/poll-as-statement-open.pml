// expect: 3:13: expected ']', found '}'
chan q = [1] of { byte };
init { q?[1 }
