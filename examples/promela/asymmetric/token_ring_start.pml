/* The token ring, but station 0 has the token first.
 *
 * The initial send is to one channel: turning the ring is no symmetry any more.
 *
 * expect: states 161, transitions 434, deadlocks 0
 * expect: orbits 161, group 1
 */

#ifndef N
#define N 4
#endif

#if N == 2
#define EACH_STATION(CHOICE) CHOICE(0) CHOICE(1)
#elif N == 3
#define EACH_STATION(CHOICE) CHOICE(0) CHOICE(1) CHOICE(2)
#elif N == 4
#define EACH_STATION(CHOICE) CHOICE(0) CHOICE(1) CHOICE(2) CHOICE(3)
#elif N == 5
#define EACH_STATION(CHOICE) CHOICE(0) CHOICE(1) CHOICE(2) CHOICE(3) CHOICE(4)
#elif N == 6
#define EACH_STATION(CHOICE) CHOICE(0) CHOICE(1) CHOICE(2) CHOICE(3) CHOICE(4) CHOICE(5)
#elif N == 8
#define EACH_STATION(CHOICE) CHOICE(0) CHOICE(1) CHOICE(2) CHOICE(3) CHOICE(4) CHOICE(5) CHOICE(6) CHOICE(7)
#elif N == 10
#define EACH_STATION(CHOICE) \
	CHOICE(0) CHOICE(1) CHOICE(2) CHOICE(3) CHOICE(4) CHOICE(5) CHOICE(6) CHOICE(7) CHOICE(8) CHOICE(9)
#else
#define EACH_STATION(CHOICE) \
	CHOICE(0) CHOICE(1) CHOICE(2) CHOICE(3) CHOICE(4) CHOICE(5) CHOICE(6) CHOICE(7) CHOICE(8) CHOICE(9) \
	CHOICE(10) CHOICE(11)
#endif

#define RUN(i)   run station(ring[i], ring[(i + 1) % N]);

mtype = { token };

chan ring[N] = [1] of { mtype };

proctype station(chan from, to)
{
	do
	:: from?token -> to!token		/* idle: pass it on */
	:: true ->				/* wants to enter */
		from?token;
critical:
		skip;
		to!token
	od
}

init {
	atomic {
		EACH_STATION(RUN)
		ring[0]!token
	}
}
