// expect: 3:1: there is already 'init'
init { skip }
init { skip }
