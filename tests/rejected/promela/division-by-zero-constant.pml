// expect: 2:8: division by zero
byte a[1 / 0];
init { skip }
