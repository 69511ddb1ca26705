// expect: 2:17: the label 'L' cannot be here
init { d_step { L: skip; goto L } }
