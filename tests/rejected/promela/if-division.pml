// expect: 2:1: division by zero in this condition
#if 1 / 0
#endif
init { skip }
