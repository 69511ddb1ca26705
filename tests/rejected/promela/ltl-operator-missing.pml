// expect: 3:12: expected an operator or '}', found '<>'
byte x;
ltl { [] x <> x }
init { skip }
