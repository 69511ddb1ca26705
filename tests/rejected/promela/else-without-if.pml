// expect: 3:1: '#else' without an '#if'
init { skip }
#else

