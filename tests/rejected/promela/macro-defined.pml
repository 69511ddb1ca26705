// expect: 2:9: 'defined' cannot be a macro
#define defined 1
init { skip }
