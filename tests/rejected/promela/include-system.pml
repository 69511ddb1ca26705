// expect: 2:10: '#include' without a file name in quotes is not supported
#include <stdio.h>
init { skip }
