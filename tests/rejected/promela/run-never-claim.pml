// expect: 3:12: there is no proctype 'never_0'
never { do :: skip od }
init { run never_0() }
