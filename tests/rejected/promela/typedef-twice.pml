// expect: 3:9: 'T' is already a typedef
typedef T { byte x }
typedef T { byte y }
init { skip }
