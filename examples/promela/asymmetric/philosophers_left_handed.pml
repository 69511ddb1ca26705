/* The dining philosophers, but philosopher 0 takes the right fork first.
 *
 * There is no deadlock any more, and no symmetry: turning the table moves philosopher 0.
 *
 * expect: states 261, transitions 877, deadlocks 0
 * expect: orbits 261, group 1
 */

#ifndef N
#define N 5
#endif

#define LEFT  _pid
#define RIGHT ((_pid + 1) % N)

#define FIRST  (_pid == 0 -> RIGHT : LEFT)
#define SECOND (_pid == 0 -> LEFT : RIGHT)

bool taken[N];

active [N] proctype philosopher()
{
	do
	:: atomic { !taken[FIRST] -> taken[FIRST] = true };
	   atomic { !taken[SECOND] -> taken[SECOND] = true };
eating:
	   taken[SECOND] = false;
	   taken[FIRST] = false
	od
}
