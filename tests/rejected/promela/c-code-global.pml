// expect: 2:1: embedded C ('c_code') is not supported
c_code { int x; }
init { skip }
