// expect: 4:27: inlines expand to more than 100,000 tokens
byte x;
inline f0() { x = 1; x = 2 }
inline f1() { f0(); f0(); f0(); f0() }
inline f2() { f1(); f1(); f1(); f1() }
inline f3() { f2(); f2(); f2(); f2() }
inline f4() { f3(); f3(); f3(); f3() }
inline f5() { f4(); f4(); f4(); f4() }
inline f6() { f5(); f5(); f5(); f5() }
inline f7() { f6(); f6(); f6(); f6() }
inline f8() { f7(); f7(); f7(); f7() }
inline f9() { f8(); f8(); f8(); f8() }
inline f10() { f9(); f9(); f9(); f9() }
inline f11() { f10(); f10(); f10(); f10() }
init { f11() }
