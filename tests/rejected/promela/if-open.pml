// expect: 3:1: this is not closed by '#endif'
init { skip }
#if 1

