// expect: 3:12: this number does not fit into 32 bits
byte x;
init { x = 99999999999999999999 }
