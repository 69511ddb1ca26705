/* Readers and writers, but reader 0 may overtake writers that wait.
 *
 * The other readers may be exchanged, and so may writers: S_(READERS-1) x S_WRITERS.
 *
 * expect: states 320, transitions 1153, deadlocks 0
 * expect: orbits 144, group 4
 */

#ifndef READERS
#define READERS 3
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

byte reading, writing, waiting;

active [READERS] proctype reader()
{
	do
	:: true;			/* wants to read */
	   atomic { writing == 0 && (waiting == 0 || _pid == 0) -> reading++ };
	   assert(writing == 0);
	   reading--
	od
}

active [WRITERS] proctype writer()
{
	do
	:: waiting++;			/* wants to write */
	   atomic { reading == 0 && writing == 0 -> waiting--; writing++ };
	   assert(reading == 0 && writing == 1);
	   writing--
	od
}
