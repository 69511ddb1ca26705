// expect: 5:5: expected an expression, found '+'
byte x, y;
init {
  x = y
    + 1
}
