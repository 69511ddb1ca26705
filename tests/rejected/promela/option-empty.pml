// expect: 2:11: at least one statement is needed here
init { if :: fi }
