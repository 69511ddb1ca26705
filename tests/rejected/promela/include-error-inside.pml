// expect: inner/wrong.h:2:13: expected an expression, found ';'
#include "inner/wrong.h"
init { skip }
