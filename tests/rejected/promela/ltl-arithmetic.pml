// expect: 3:8: '[]' cannot be here: this needs a number
byte x;
ltl { ([] x) + 1 }
init { skip }
