/* The semaphore, but processes with an even number go first.
 *
 * Two processes may be exchanged if both have an even number, or both an odd one: S_ceil(N/2) x S_floor(N/2).
 *
 * expect: states 1280, transitions 6177, deadlocks 0
 * expect: orbits 65, group 576
 */

#ifndef N
#define N 8
#endif

bool free = true;
byte even;	/* how many processes with an even number wait */

active [N] proctype process()
{
idle:
	do
	:: even = even + 1 - _pid % 2;
waiting:
	   atomic { free && (_pid % 2 == 0 || even == 0) -> free = false; even = even - (1 - _pid % 2) };
critical:
	   free = true
	od
}
