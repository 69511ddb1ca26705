// expect: 2:8: embedded C ('c_code') is not supported
init { c_code { x = 1; } }
