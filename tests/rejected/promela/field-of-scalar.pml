// expect: 3:9: this is no struct, and has no fields
byte x;
init { x.y = 1 }
