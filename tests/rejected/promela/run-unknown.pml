// expect: 2:12: there is no proctype 'Q'
init { run Q() }
