// expect: 2:8: the array 'a' has 0 elements
byte a[0];
init { skip }
