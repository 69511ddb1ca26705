// expect: 2:13: there are two parameters 'a'
inline f(a, a) { skip }
init { skip }
