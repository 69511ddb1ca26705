// expect: 2:1: '#ifdef' needs the name of a macro
#ifdef
#endif
init { skip }
