// expect: 3:1: '#endif' without an '#if'
init { skip }
#endif

