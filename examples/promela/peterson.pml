/* Peterson's algorithm for N processes (the filter lock).
 *
 * A process climbs N - 1 levels. On each it announces itself, and waits as long as some other process is as far and
 * nobody came to this level after it. What the others do is looked at in one step, as is usual in models of it.
 *
 * Processes may be exchanged: their numbers are compared only for equality, and `last` begins with a value that is
 * nobody's.
 *
 * expect: states 2752, transitions 6925, deadlocks 0
 * expect: orbits 515, group 6
 * expect N=2: states 118, transitions 221, deadlocks 0
 * expect N=2: orbits 61, group 2
 * expect N=4: states 69696, transitions 213589, deadlocks 0
 * expect N=4: orbits 3505, group 24
 */

#ifndef N
#define N 3
#endif

#define NOBODY 255

#define AHEAD(k) (k != _pid && level[k] >= mine)

#if N == 2
#define SOME_AHEAD (AHEAD(0) || AHEAD(1))
#elif N == 3
#define SOME_AHEAD (AHEAD(0) || AHEAD(1) || AHEAD(2))
#elif N == 4
#define SOME_AHEAD (AHEAD(0) || AHEAD(1) || AHEAD(2) || AHEAD(3))
#elif N == 5
#define SOME_AHEAD (AHEAD(0) || AHEAD(1) || AHEAD(2) || AHEAD(3) || AHEAD(4))
#else
#define SOME_AHEAD (AHEAD(0) || AHEAD(1) || AHEAD(2) || AHEAD(3) || AHEAD(4) || AHEAD(5))
#endif

byte level[N];		/* 0: not interested */
byte last[N] = NOBODY;	/* who came last to a level; last[0] is not used */
byte inside;		/* how many are in the critical section */

active [N] proctype process()
{
	byte mine;

	do
	:: mine = 1;
	   do
	   :: mine < N ->
		level[_pid] = mine;
		last[mine] = _pid;
		(!SOME_AHEAD || last[mine] != _pid);
		mine++
	   :: else -> break
	   od;
	   inside++;
critical:
	   assert(inside == 1);
	   inside--;
	   atomic { level[_pid] = 0; mine = 0 }
	od
}
