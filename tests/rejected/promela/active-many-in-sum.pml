// expect: 2:1: more than 255 processes run from the beginning
active [200] proctype P() { skip }
active [100] proctype Q() { skip }
