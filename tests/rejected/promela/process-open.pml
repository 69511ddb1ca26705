// expect: 3:1: expected '}', found the end of the model
init { skip
