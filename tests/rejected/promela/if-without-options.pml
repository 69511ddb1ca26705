// expect: 2:11: expected '::', found 'fi'
init { if fi }
