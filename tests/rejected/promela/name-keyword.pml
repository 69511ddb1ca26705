// expect: 2:6: expected a name, found 'do'
byte do;
init { skip }
