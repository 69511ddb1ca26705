// expect: 2:10: there is no file 'absent.h' in the folder of the model
#include "absent.h"
init { skip }
