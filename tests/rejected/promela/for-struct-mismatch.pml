// expect: 4:23: this is no channel with room for messages of type 'T' alone
typedef T { byte x }
chan q = [2] of { int };
init { T t; for (t in q) { skip } }
