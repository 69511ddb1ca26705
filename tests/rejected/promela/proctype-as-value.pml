// expect: 4:14: expected '@' or ':' behind the proctype 'P', found '}'
proctype P() { skip }
byte x;
init { x = P }
