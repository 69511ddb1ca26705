// expect: 2:10: the label 'L' cannot be here
init { { L: skip; goto L } }
