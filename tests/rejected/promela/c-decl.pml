// expect: 2:1: embedded C ('c_decl') is not supported
c_decl { int x; }
init { skip }
