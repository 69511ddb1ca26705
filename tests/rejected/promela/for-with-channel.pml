// expect: 4:13: this counts, so it must be a variable of numbers, and no array
chan q = [1] of { byte };
byte i;
init { for (q : 1 .. 2) { skip } }
