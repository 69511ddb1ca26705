// expect: 2:15: this call of the inline has no variable for its result
inline f(a) { return a }
init { f(1) }
