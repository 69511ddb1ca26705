// expect: 3:8: 2 values are sent here, but no channel has more than 1 field
chan q = [1] of { byte };
init { q!1, 2 }
