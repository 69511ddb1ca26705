// expect: 4:10: 'T' has no field 'y'
typedef T { byte x }
T t;
init { t.y = 1 }
