/* The semaphore, but of those who wait, the one with the lowest number goes first.
 *
 * The numbers are compared by their order: no two processes may be exchanged. N is 3 or 4.
 *
 * expect: states 48, transitions 128, deadlocks 0
 * expect: orbits 48, group 1
 */

#ifndef N
#define N 4
#endif

bool free = true;
bool waits[N];

#define BEFORE(k) (waits[k] && k < _pid)

#if N == 3
#define SOMEBODY_BEFORE (BEFORE(0) || BEFORE(1) || BEFORE(2))
#else
#define SOMEBODY_BEFORE (BEFORE(0) || BEFORE(1) || BEFORE(2) || BEFORE(3))
#endif

active [N] proctype process()
{
idle:
	do
	:: waits[_pid] = true;
waiting:
	   atomic { free && !SOMEBODY_BEFORE -> free = false; waits[_pid] = false };
critical:
	   free = true
	od
}
