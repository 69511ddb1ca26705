// expect: 3:7: 'missing' is not declared
inline f(a) {
  a = missing
}
byte x;
init { f(x) }
