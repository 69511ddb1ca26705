// expect: 3:10: 'run' can only be used in a process
proctype P() { skip }
byte x = run P();
init { skip }
