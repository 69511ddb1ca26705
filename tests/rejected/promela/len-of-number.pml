// expect: 3:12: this is no channel, but of type 'byte'
byte x;
init { len(x) > 1 }
