-- expect: 2:8: 'é' is no part of Murphi
var café: boolean;
