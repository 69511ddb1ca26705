// expect: inner/loop.h:1:10: files include each other more than 16 deep
#include "inner/loop.h"
init { skip }
