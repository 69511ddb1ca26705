// expect: 3:8: 'f' is already an inline
inline f() { skip }
inline f() { skip }
init { f() }
