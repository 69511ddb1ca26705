// expect: 3:8: the inline 'f' takes 1 argument, not 0
inline f(a) { skip }
init { f() }
