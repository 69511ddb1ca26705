// expect: 2:1: embedded C ('c_state') is not supported
c_state "int x" "Global"
init { skip }
