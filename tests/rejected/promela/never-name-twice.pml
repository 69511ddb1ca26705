// expect: 3:1: there is already a claim 'p'
never p { skip }
never p { skip }
init { skip }
