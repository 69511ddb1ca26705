// expect: 2:15: expected a declaration or a process, found '}'
init { skip } }
