// expect: 2:14: 'break' is not inside a loop
init { if :: break fi }
