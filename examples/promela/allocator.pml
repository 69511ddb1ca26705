/* A resource allocator: clients ask for one or two units, and give them back.
 *
 * The allocator takes requests in the order of their arrival, and lets nobody pass who needs more than there is. So
 * nobody starves who needs two units. Clients may be exchanged.
 *
 * expect: states 6686, transitions 18655, deadlocks 0
 * expect: orbits 1292, group 6
 * expect N=2: states 634, transitions 1405, deadlocks 0
 * expect N=2: orbits 332, group 2
 */

#ifndef N
#define N 3
#endif
#ifndef UNITS
#define UNITS 2
#endif

#define NOBODY 255

chan requests = [N] of { pid, byte };
chan granted[N] = [0] of { bit };
chan returned = [0] of { byte };

active [N] proctype client()
{
	byte units;

	do
	:: if
	   :: units = 1
	   :: units = 2
	   fi;
	   requests!_pid, units;
	   granted[_pid]?1;
using:
	   returned!units;
	   units = 0
	od
}

active proctype allocator()
{
	byte available = UNITS;
	byte who = NOBODY;
	byte units, back;

	do
	:: requests?who, units;
	   do
	   :: units > available ->
		returned?back;
		available = available + back;
		back = 0
	   :: else -> break
	   od;
	   available = available - units;
	   granted[who]!1;
	   atomic { who = NOBODY; units = 0 }
	:: returned?back;
	   available = available + back;
	   assert(available <= UNITS);
	   back = 0
	od
}
