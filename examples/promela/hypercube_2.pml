/* The hypercube of dimension 2.
 *
 */

#define N 2
#include "hypercube.pml"
