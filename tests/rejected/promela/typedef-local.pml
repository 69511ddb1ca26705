// expect: 2:8: expected an expression, found 'typedef'
init { typedef T { byte x } }
