/* A semaphore: processes wait for it, one at a time is in its critical section.
 *
 * Any number of N processes may wait, and at most one is critical: 2^N + N * 2^(N-1) states. Processes may be exchanged, so
 * that only their numbers count: N + 1 orbits without a critical process, N orbits with one.
 *
 */

#ifndef N
#define N 8
#endif

bool free = true;

active [N] proctype process()
{
idle:
	do
	:: true;
waiting:
	   atomic { free -> free = false };
critical:
	   free = true
	od
}
