// expect: 2:10: 'q' is no channel
byte q = [1] of { byte };
init { skip }
