// expect: 2:8: there is no label 'L'
init { goto L }
