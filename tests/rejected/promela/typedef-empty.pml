// expect: 2:13: expected a field, found '}'
typedef T { }
init { skip }
