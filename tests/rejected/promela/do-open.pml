// expect: 2:19: expected '::' or 'od', found '}'
init { do :: skip }
