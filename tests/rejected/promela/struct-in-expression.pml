// expect: 5:12: this is a whole struct 'T', not one of its fields
typedef T { byte x }
T t;
byte x;
init { x = t + 1 }
