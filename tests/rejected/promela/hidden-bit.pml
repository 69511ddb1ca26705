// expect: 2:8: a bit or bool cannot be hidden
hidden bit b;
init { skip }
