/* The three-tiered architecture, with a buffer of one place before the first server.
 *
 * Donaldson, Miller, Calder 2005, section 6: a channel's length belongs to its type, so that the first server with its
 * clients can no longer be exchanged with the second.
 *
 */

#define LENGTH 1
#include "three_tiers.pml"
