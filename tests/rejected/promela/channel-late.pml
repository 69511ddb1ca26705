// expect: 2:19: the channel 'q' must be declared at the start of the process
init { skip; chan q = [1] of { byte }; q!1 }
