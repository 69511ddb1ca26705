// expect: 3:14: a struct with an array in it cannot be a parameter
typedef T { byte x[2] }
proctype P(T t) { skip }
init { skip }
