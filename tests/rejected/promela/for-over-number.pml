// expect: 3:18: this is neither an array, nor a channel of the struct's type
byte i, x;
init { for (i in x) { skip } }
