#include "loop.h"
byte x;
