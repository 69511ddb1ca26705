// expect: 2:15: at least one statement is needed here
init { atomic { } }
