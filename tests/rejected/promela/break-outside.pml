// expect: 2:8: 'break' is not inside a loop
init { break }
