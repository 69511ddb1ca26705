/* Readers and writers: any number of readers at a time, or one writer.
 *
 * A writer that waits keeps new readers out. Readers may be exchanged, and so may writers: S_READERS x S_WRITERS.
 *
 * expect: states 320, transitions 1105, deadlocks 0
 * expect: orbits 76, group 12
 * expect READERS=4 WRITERS=3: states 2432, transitions 11201, deadlocks 0
 * expect READERS=4 WRITERS=3: orbits 170, group 144
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
	   atomic { writing == 0 && waiting == 0 -> reading++ };
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
