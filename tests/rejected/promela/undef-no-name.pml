// expect: 2:1: '#undef' needs the name of a macro
#undef
init { skip }
