// expect: 2:30: there is already an 'else' in this selection
init { if :: else -> skip :: else -> skip fi }
