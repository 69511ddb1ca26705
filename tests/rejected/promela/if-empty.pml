// expect: 2:1: expected a number or the name of a macro in this condition
#if
#endif
init { skip }
