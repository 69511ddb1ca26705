// expect: 2:1: a macro needs a name
#define
init { skip }
