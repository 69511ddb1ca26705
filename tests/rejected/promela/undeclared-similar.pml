// expect: 3:8: 'countr' is not declared
byte counter;
init { countr = 1 }
