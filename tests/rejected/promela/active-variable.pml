// expect: 3:9: this is no constant
byte n;
active [n + 1] proctype P() { skip }
