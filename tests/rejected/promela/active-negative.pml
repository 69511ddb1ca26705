// expect: 2:9: this is a negative number of processes
active [-1] proctype P() { skip }
