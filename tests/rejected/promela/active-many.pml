// expect: 2:9: there are at most 255 processes
active [256] proctype P() { skip }
