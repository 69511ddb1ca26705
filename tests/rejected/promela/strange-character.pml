// expect: 2:14: '$' is no part of Promela
init { skip; $ }
