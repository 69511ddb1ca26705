/* The cache coherence protocol, but cache 0 asks for an exclusive copy only when it has a shared one.
 *
 * The other caches may be exchanged: S_(N-1).
 *
 * expect: states 2481, transitions 7097, deadlocks 0
 * expect: orbits 1297, group 2
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
	:: atomic { _pid != 0 -> request[_pid]!get_exclusive }
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
