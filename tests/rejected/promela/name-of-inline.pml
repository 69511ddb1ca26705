// expect: 3:6: 'f' is already an inline
inline f() { skip }
byte f;
init { f() }
