// expect: 2:6: '_pid' is predefined
byte _pid;
init { skip }
