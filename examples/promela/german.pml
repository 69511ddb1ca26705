/* A cache coherence protocol with a directory, after German's.
 *
 * A cache asks the home node for a shared or an exclusive copy of the one line. Before the home node grants an
 * exclusive copy, or any copy while somebody has an exclusive one, it invalidates the copies there are, one after the
 * other, in any order.
 *
 * Caches may be exchanged. The home node is declared last, so that the caches have the identifiers 0 to N - 1.
 *
 * expect: states 2523, transitions 7525, deadlocks 0
 * expect: orbits 482, group 6
 * expect N=2: states 234, transitions 445, deadlocks 0
 * expect N=2: orbits 120, group 2
 * expect N=4: states 28316, transitions 120433, deadlocks 0
 * expect N=4: orbits 1640, group 24
 */

#ifndef N
#define N 3
#endif

#define NOBODY 255

#if N == 2
#define EACH_CACHE(CHOICE) CHOICE(0) CHOICE(1)
#elif N == 3
#define EACH_CACHE(CHOICE) CHOICE(0) CHOICE(1) CHOICE(2)
#elif N == 4
#define EACH_CACHE(CHOICE) CHOICE(0) CHOICE(1) CHOICE(2) CHOICE(3)
#elif N == 5
#define EACH_CACHE(CHOICE) CHOICE(0) CHOICE(1) CHOICE(2) CHOICE(3) CHOICE(4)
#elif N == 6
#define EACH_CACHE(CHOICE) CHOICE(0) CHOICE(1) CHOICE(2) CHOICE(3) CHOICE(4) CHOICE(5)
#else
#define EACH_CACHE(CHOICE) CHOICE(0) CHOICE(1) CHOICE(2) CHOICE(3) CHOICE(4) CHOICE(5) CHOICE(6)
#endif

mtype = { get_shared, get_exclusive, grant_shared, grant_exclusive, invalidate };

chan request[N] = [1] of { mtype };	/* cache to home */
chan reply[N] = [1] of { mtype };	/* home to cache: grants and invalidations */
chan acknowledge[N] = [1] of { bit };	/* cache to home */

byte sharing, owning;			/* how many caches have a shared, an exclusive copy */

active [N] proctype cache()
{
invalid:
	if
	:: request[_pid]!get_shared
	:: request[_pid]!get_exclusive
	fi;
wait:
	if
	:: atomic { reply[_pid]?grant_shared -> sharing++; assert(owning == 0) }
	:: atomic { reply[_pid]?grant_exclusive -> owning++; assert(owning == 1 && sharing == 0); goto exclusive }
	fi;
shared:
	if
	:: atomic { reply[_pid]?invalidate -> sharing--; acknowledge[_pid]!1; goto invalid }
	:: request[_pid]!get_exclusive
	fi;
	/* An upgrade: the own copy is invalidated like any other. */
	atomic { reply[_pid]?invalidate -> sharing--; acknowledge[_pid]!1; goto wait };
exclusive:
	atomic { reply[_pid]?invalidate -> owning--; acknowledge[_pid]!1; goto invalid }
}

#define TAKE(c)    :: atomic { request[c]?what -> who = c }
#define SEND(c)    :: atomic { to_invalidate[c] && empty(reply[c]) -> to_invalidate[c] = false; reply[c]!invalidate }
#define RECEIVE(c) :: atomic { acknowledge[c]?1 -> holds[c] = false }
#define COPY(c)    to_invalidate[c] = holds[c];
#define NONE(c)    && !holds[c]

active proctype home()
{
	bool holds[N], to_invalidate[N];
	bool is_exclusive;
	mtype what;
	byte who = NOBODY;

	do
	:: if
	   EACH_CACHE(TAKE)
	   fi;
	   if
	   :: atomic {
		what == get_exclusive || is_exclusive ->
			EACH_CACHE(COPY)
	      }
	      do
	      EACH_CACHE(SEND)
	      EACH_CACHE(RECEIVE)
	      :: atomic { true EACH_CACHE(NONE) -> is_exclusive = false; break }
	      od
	   :: else
	   fi;
	   atomic {
		if
		:: what == get_shared -> reply[who]!grant_shared
		:: what == get_exclusive -> reply[who]!grant_exclusive; is_exclusive = true
		fi;
		holds[who] = true;
		what = 0;
		who = NOBODY
	   }
	od
}
