/* The hypercube of dimension 4.
 *
 * expect: states 15796865, transitions 33875089, deadlocks 0
 * expect: orbits 47255, group 384
 */

#define N 4
#include "hypercube.pml"
