// expect: 3:10: 'P' has no label 'M'
proctype P() { L: skip }
init { P@M }
