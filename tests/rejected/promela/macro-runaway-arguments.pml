// expect: 6:8: macros and files of this model expand to more than 200,000 tokens
#define TWICE(s) s s
#define F(s) TWICE(TWICE(TWICE(s)))
#define G(s) F(F(F(s)))
byte x;
init { G(G(x = 1;)) }
