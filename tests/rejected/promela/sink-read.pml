// expect: 3:12: '_' can only be written, not read
byte x;
init { x = _ }
