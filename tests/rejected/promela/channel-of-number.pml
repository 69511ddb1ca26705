// expect: 3:8: this is no channel, but of type 'byte'
byte x;
init { x!1 }
