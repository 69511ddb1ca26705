/* The star, but two channels are wired across: leaf 0 listens to what is for leaf 1, and the other way round.
 *
 * Leaves 0 and 1 may be exchanged, and so may the others: S_2 x S_(N-2).
 *
 * expect: states 1568, transitions 4329, deadlocks 0
 * expect: orbits 438, group 4
 */

#ifndef N
#define N 4
#endif

#define NOBODY 255

mtype = { ask, yes, no };

chan mailbox = [N] of { mtype, pid };
chan answer[N] = [0] of { mtype };

/* Leaves 0 and 1 listen to each other's channel. */
#define MINE (_pid < 2 -> 1 - _pid : _pid)

active [N] proctype leaf()
{
	do
	:: mailbox!ask(_pid);
	   if
	   :: answer[MINE]?yes ->
happy:		skip
	   :: answer[MINE]?no
	   fi
	od
}

active proctype centre()
{
	byte who = NOBODY;

	do
	:: mailbox?ask(who);
	   if
	   :: answer[who]!yes
	   :: answer[who]!no
	   fi;
	   who = NOBODY
	od
}
