// expect: 2:8: '_pid' can only be read
init { _pid = 1 }
