/* A server that polls its clients: a branch of the program for each of them.
 *
 * Each branch has control points of its own. Clients may be exchanged if the control points of the server are, too: a
 * permutation of the clients is a symmetry only together with one of the branches.
 *
 * expect: states 162, transitions 451, deadlocks 0
 * expect: orbits 40, group 6
 * expect N=4: states 621, transitions 2161, deadlocks 0
 * expect N=4: orbits 65, group 24
 */

#ifndef N
#define N 3
#endif

#if N == 2
#define EACH_CLIENT(BRANCH) BRANCH(0) BRANCH(1)
#elif N == 3
#define EACH_CLIENT(BRANCH) BRANCH(0) BRANCH(1) BRANCH(2)
#elif N == 4
#define EACH_CLIENT(BRANCH) BRANCH(0) BRANCH(1) BRANCH(2) BRANCH(3)
#else
#define EACH_CLIENT(BRANCH) BRANCH(0) BRANCH(1) BRANCH(2) BRANCH(3) BRANCH(4)
#endif

#define SERVE(i) :: request[i]?1 -> served++; reply[i]!1; served--

chan request[N] = [1] of { bit };
chan reply[N] = [1] of { bit };
byte served;

active [N] proctype client()
{
	do
	:: request[_pid]!1;
	   reply[_pid]?1
	od
}

active proctype server()
{
	do
	EACH_CLIENT(SERVE)
	od
}
