// expect: 4:13: 'x' takes two fields of one message
chan q = [1] of { byte, byte };
byte x;
init { q?x, x }
