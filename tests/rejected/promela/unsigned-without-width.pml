// expect: 2:10: an unsigned needs a width
unsigned x;
init { skip }
