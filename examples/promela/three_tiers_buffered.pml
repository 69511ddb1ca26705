/* The three-tiered architecture, with a buffer of one place before the first server.
 *
 * Donaldson, Miller, Calder 2005, section 6: a channel's length belongs to its type, so that the first server with its
 * clients can no longer be exchanged with the second.
 *
 * expect: states 14995, transitions 63378, deadlocks 0
 * expect: orbits 1115, group 72
 * expect C1=2 C2=2 C3=1: states 3380, transitions 12969, deadlocks 0
 * expect C1=2 C2=2 C3=1: orbits 1115, group 4
 */

#define LENGTH 1
#include "three_tiers.pml"
