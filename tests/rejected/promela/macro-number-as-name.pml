// expect: 2:9: a macro needs a name
#define 3 4
init { skip }
