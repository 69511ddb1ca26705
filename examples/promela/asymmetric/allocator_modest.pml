/* The resource allocator, but client 0 asks for one unit only.
 *
 * The other clients may be exchanged: S_(N-1).
 *
 * expect: states 4525, transitions 12642, deadlocks 0
 * expect: orbits 2371, group 2
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
	   :: _pid != 0 -> units = 2
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
