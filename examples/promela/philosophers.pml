/* The dining philosophers: everybody takes the left fork first.
 *
 * The table may be turned: the group is the one of the rotations, of order N. In one state everybody has one fork.
 *
 * expect: states 392, transitions 1416, deadlocks 1, verdict violated
 * expect: orbits 80, group 5
 * expect N=3: states 35, transitions 76, deadlocks 1, verdict violated
 * expect N=3: orbits 13, group 3
 * expect N=8: states 14158, transitions 81849, deadlocks 1, verdict violated
 * expect N=8: orbits 1788, group 8
 */

#ifndef N
#define N 5
#endif

#define LEFT  _pid
#define RIGHT ((_pid + 1) % N)

bool taken[N];

active [N] proctype philosopher()
{
	do
	:: atomic { !taken[LEFT] -> taken[LEFT] = true };
	   atomic { !taken[RIGHT] -> taken[RIGHT] = true };
eating:
	   taken[RIGHT] = false;
	   taken[LEFT] = false
	od
}
