/* The semaphore, but process 0 waits from the beginning.
 *
 * Processes other than 0 may be exchanged: S_(N-1).
 *
 * expect: states 648, transitions 2701, deadlocks 0
 * expect: orbits 90, group 24
 */

#ifndef N
#define N 5
#endif

bool free = true;

active [N] proctype process()
{
	atomic {
		if
		:: _pid == 0 -> goto waiting
		:: else
		fi
	};
idle:
	do
	:: true;
waiting:
	   atomic { free -> free = false };
critical:
	   free = true
	od
}
