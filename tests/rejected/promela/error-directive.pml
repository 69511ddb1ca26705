// expect: 3:1: #error: N is needed
#ifndef N
#error N is needed
#endif
init { skip }
