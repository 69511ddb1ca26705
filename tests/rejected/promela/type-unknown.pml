// expect: 2:1: 'Missing' is no type
Missing x;
init { skip }
