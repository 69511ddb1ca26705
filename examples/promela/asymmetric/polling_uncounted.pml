/* The server that polls its clients, but it does not count client 0.
 *
 * The other clients may be exchanged, together with the branches of the server: S_(N-1).
 *
 * expect: states 162, transitions 451, deadlocks 0
 * expect: orbits 93, group 2
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

#define SERVE(i) :: request[i]?1 -> served = served + (i != 0); reply[i]!1; served = served - (i != 0)

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
