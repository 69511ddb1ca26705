// expect: 2:12: this brace is not closed
inline f() { skip
init { f() }
