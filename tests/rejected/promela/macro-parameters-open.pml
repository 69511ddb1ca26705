// expect: 2:10: the parameters of this macro are not closed
#define F(a, b
init { skip }
