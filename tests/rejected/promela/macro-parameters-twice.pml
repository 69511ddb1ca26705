// expect: 2:14: expected the name of another parameter, found 'a'
#define F(a, a) a
init { skip }
