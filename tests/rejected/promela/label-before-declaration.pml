// expect: 2:8: a label cannot be before a declaration
init { L: byte x; skip }
