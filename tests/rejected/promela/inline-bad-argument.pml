// expect: 2:17: expected ';' or the end of the sequence, found '='
inline f(a) { a = 1 }
init { f(1 + 2) }
