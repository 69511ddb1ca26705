/* Readers and writers: any number of readers at a time, or one writer.
 *
 * A writer that waits keeps new readers out. Readers may be exchanged, and so may writers: S_READERS x S_WRITERS.
 *
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
