// expect: 2:17: there is already a label 'L'
init { L: skip; L: skip }
