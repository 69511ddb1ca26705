// expect: 2:10: there is no file 'inner' in the folder of the model
#include "inner"
init { skip }
