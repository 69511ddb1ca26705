/* A semaphore: processes wait for it, one at a time is in its critical section.
 *
 * Any number of N processes may wait, and at most one is critical: 2^N + N * 2^(N-1) states. Processes may be
 * exchanged, so that only their numbers count: N + 1 orbits without a critical process, N orbits with one.
 *
 * expect: states 1280, transitions 6657, deadlocks 0
 * expect: orbits 17, group 40320
 * expect N=3: states 20, transitions 49, deadlocks 0
 * expect N=3: orbits 7, group 6
 * expect N=5: states 112, transitions 401, deadlocks 0
 * expect N=5: orbits 11, group 120
 * expect N=16: states 589824, transitions 5505025, deadlocks 0
 * expect N=16: orbits 33, group 20922789888000
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
