/* Peterson's algorithm, but process 0 is the last that came to level 1, before anybody did.
 *
 * The other processes may be exchanged: S_(N-1).
 *
 * expect: states 2752, transitions 6925, deadlocks 0
 * expect: orbits 1431, group 2
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
byte last[N] = { NOBODY, 0, NOBODY };	/* who came last to a level; last[0] is not used */
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
