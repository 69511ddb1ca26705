/* The hypercube where the first message always goes to node 0.
 *
 * Donaldson, Miller, Calder 2005, section 6: with less non-determinism there are fewer states, but as only the permutations
 * of the dimensions fix node 0, there are more orbits.
 *
 */

#define FIXED 1
#include "hypercube.pml"
