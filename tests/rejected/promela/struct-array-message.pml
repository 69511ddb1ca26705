// expect: 4:19: the field 'a' is an array of structs, which cannot be part of a message or an argument
typedef A { byte x }
typedef B { A a[2] }
chan q = [1] of { B };
init { skip }
