// expect: 2:17: the label 'L' cannot be here
init { atomic { L: skip; goto L } }
