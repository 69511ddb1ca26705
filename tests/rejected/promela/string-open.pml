// expect: 2:15: this string is not closed
init { printf("abc) }
