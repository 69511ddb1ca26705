// expect: 2:8: embedded C ('c_expr') is not supported
init { c_expr { x > 1 } -> skip }
