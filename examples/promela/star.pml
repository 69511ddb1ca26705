/* A star: leaves send their process identifier to the centre, which answers each on its own channel.
 *
 * The centre takes up to N requests into its mailbox and answers in this order. `_pid` is a message field, a value of
 * the centre's variable `who`, and an index of `answer`. The leaves have the identifiers 0 to N - 1: the centre is
 * declared last. Leaves may be exchanged.
 *
 * expect: states 992, transitions 2889, deadlocks 0
 * expect: orbits 65, group 24
 * expect N=3: states 182, transitions 481, deadlocks 0
 * expect N=3: orbits 38, group 6
 * expect N=5: states 6072, transitions 18481, deadlocks 0
 * expect N=5: orbits 101, group 120
 */

#ifndef N
#define N 4
#endif

#define NOBODY 255

mtype = { ask, yes, no };

chan mailbox = [N] of { mtype, pid };
chan answer[N] = [0] of { mtype };

active [N] proctype leaf()
{
	do
	:: mailbox!ask(_pid);
	   if
	   :: answer[_pid]?yes ->
happy:		skip
	   :: answer[_pid]?no
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
