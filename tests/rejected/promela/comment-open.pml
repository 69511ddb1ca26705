// expect: 3:1: this comment is not closed
init { skip }
/* never closed
