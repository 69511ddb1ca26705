// expect: 2:10: this file is outside the folder of the model
#include "/etc/passwd"
init { skip }
