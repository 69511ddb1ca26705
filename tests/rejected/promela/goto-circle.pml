// expect: 2:11: jumps lead in a circle here, without a statement between them
init { L: goto M; M: goto L }
