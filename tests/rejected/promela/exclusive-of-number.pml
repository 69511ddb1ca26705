// expect: 3:11: this is no channel, but of type 'byte'
byte x;
init { xr x; skip }
