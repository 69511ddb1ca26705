// expect: 4:1: '#elif' behind '#else'
#if 0
#else
#elif 1
#endif
init { skip }
