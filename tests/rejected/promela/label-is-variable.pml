// expect: 3:8: 'L' is a variable, and cannot be a label
byte L;
init { L: skip }
