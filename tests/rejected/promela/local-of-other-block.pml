// expect: 2:27: 't' is not declared
init { { byte t; t = 1 }; t = 2 }
