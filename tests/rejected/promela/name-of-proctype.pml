// expect: 3:6: 'P' is already a proctype
proctype P() { skip }
byte P;
init { run P() }
