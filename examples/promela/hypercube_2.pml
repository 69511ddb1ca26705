/* The hypercube of dimension 2.
 *
 * expect: states 249, transitions 397, deadlocks 0
 * expect: orbits 36, group 8
 */

#define N 2
#include "hypercube.pml"
