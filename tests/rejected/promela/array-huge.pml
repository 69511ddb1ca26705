// expect: 2:8: arrays of more than 1,048,576 elements are not supported
byte a[99999999];
init { skip }
