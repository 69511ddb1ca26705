// expect: 2:11: this jump goes to itself
init { L: goto L }
