-- expect: 2:8: this is not UTF-8
var café: boolean;
