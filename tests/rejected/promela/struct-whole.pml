// expect: 4:8: this is a whole struct 'T', not one of its fields
typedef T { byte x }
T t, u;
init { t = u }
