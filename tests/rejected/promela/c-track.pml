// expect: 2:1: embedded C ('c_track') is not supported
c_track "&x" "4"
init { skip }
