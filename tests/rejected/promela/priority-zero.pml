// expect: 3:25: a priority is from 1 to 255
proctype P() { skip }
init { run P() priority 0 }
