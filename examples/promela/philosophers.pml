/* The dining philosophers: everybody takes the left fork first.
 *
 * The table may be turned: the group is the one of the rotations, of order N. In one state everybody has one fork.
 *
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
