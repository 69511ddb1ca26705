// expect: 2:19: expected '::' or 'od', found 'fi'
init { do :: skip fi }
