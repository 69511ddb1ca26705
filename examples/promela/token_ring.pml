/* A token that goes round in a ring of stations: who has it may enter its critical section.
 *
 * The token is a message. `init` gives it to any station, so that the ring may be turned: the group is the one of the
 * rotations, of order N. A station asks for nothing while it is idle, and an idle one passes the token on.
 *
 * expect: states 161, transitions 437, deadlocks 0
 * expect: orbits 41, group 4
 * expect N=3: states 61, transitions 136, deadlocks 0
 * expect N=3: orbits 21, group 3
 * expect N=8: states 5121, transitions 24073, deadlocks 0
 * expect N=8: orbits 641, group 8
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
#define START(i) :: ring[i]!token

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
		if
		EACH_STATION(START)
		fi
	}
}
