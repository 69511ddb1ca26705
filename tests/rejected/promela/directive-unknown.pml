// expect: 2:2: there is no directive '#inclde'
#inclde "a"
init { skip }
