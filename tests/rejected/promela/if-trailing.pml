// expect: 2:7: this condition does not go on with '2'
#if 1 2
#endif
init { skip }
