// expect: 2:14: the width is from 1 to 31 bits
unsigned x : 40;
init { skip }
