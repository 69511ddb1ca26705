// expect: 3:1: no process runs in this model
proctype P() { skip }
