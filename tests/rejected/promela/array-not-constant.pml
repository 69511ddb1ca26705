// expect: 3:8: this is no constant
byte n;
byte a[n + 1];
init { skip }
