// expect: 2:25: there are two fields 'x'
typedef T { byte x; int x }
init { skip }
