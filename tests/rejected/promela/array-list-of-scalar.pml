// expect: 2:10: 'x' is no array, and cannot have a list of values
byte x = { 1, 2 };
init { skip }
