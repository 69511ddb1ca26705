/* The hypercube where the first message always goes to node 0.
 *
 * Donaldson, Miller, Calder 2005, section 6: with less non-determinism there are fewer states, but as only the
 * permutations of the dimensions fix node 0, there are more orbits.
 *
 * expect: states 8866, transitions 16622, deadlocks 0
 * expect: orbits 1669, group 6
 * expect N=2: states 145, transitions 227, deadlocks 0
 * expect N=2: orbits 78, group 2
 */

#define FIXED 1
#include "hypercube.pml"
