// expect: 2:8: only an unsigned has a width
byte x : 3;
init { skip }
