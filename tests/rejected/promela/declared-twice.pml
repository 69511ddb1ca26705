// expect: 3:5: 'x' is already declared
byte x;
int x;
init { skip }
