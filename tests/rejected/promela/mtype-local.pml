// expect: 2:8: an mtype must be declared outside of processes
init { mtype = { a, b } }
