// expect: 2:19: expected a type, found '}'
chan q = [1] of { };
init { skip }
