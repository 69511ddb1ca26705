// expect: 2:8: the array 'a' has -1 elements
byte a[-1];
init { skip }
