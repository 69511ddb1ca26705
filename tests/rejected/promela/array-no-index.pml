// expect: 3:8: 'a' is an array, and has no index here
byte a[2];
init { a = 1 }
