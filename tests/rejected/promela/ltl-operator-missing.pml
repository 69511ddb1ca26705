// expect: 3:13: expected an expression, found '>'
byte x;
ltl { [] x <> x }
init { skip }
