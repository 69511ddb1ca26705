// expect: 6:3: expected an expression, found '='
byte x;
#define WRONG x = = 1
init {
  skip;
  WRONG
}
