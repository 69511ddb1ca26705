/* The hypercube of dimension 4.
 *
 */

#define N 4
#include "hypercube.pml"
