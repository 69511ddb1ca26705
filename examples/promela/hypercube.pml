/* Routing of a message in the hypercube of dimension N, on shortest paths.
 *
 * Donaldson, Miller, Calder 2005, "SPIN-to-GRAPE", section 5. A node that has received the message either is its
 * destination, and chooses another one, or leaves the destination as it is. Then it forwards the message to a
 * neighbour that is closer to the destination. `init` sends the first message to any node. Nodes that have forwarded
 * before are marked by `next`.
 *
 * The symmetries are those of the cube: N! * 2^N, permutations of the dimensions and complements, although identifiers
 * are not only compared but calculated with.
 *
 * expect: states 15409, transitions 29145, deadlocks 0
 * expect: orbits 411, group 48
 * expect N=1: states 13, transitions 15, deadlocks 0
 * expect N=1: orbits 7, group 2
 * expect N=2: states 249, transitions 397, deadlocks 0
 * expect N=2: orbits 36, group 8
 * expect N=4: states 15796865, transitions 33875089, deadlocks 0
 * expect N=4: orbits 47255, group 384
 */

#ifndef N
#define N 3
#endif
#ifndef FIXED /* 1: the first message always goes to node 0 */
#define FIXED 0
#endif

#define NOWHERE 254 /* so far */
#define NONE    255 /* any more */

#if N == 1
#define NODES 2
#define EACH_NODE(CHOICE) CHOICE(0) CHOICE(1)
#elif N == 2
#define NODES 4
#define EACH_NODE(CHOICE) CHOICE(0) CHOICE(1) CHOICE(2) CHOICE(3)
#elif N == 3
#define NODES 8
#define EACH_NODE(CHOICE) \
	CHOICE(0) CHOICE(1) CHOICE(2) CHOICE(3) CHOICE(4) CHOICE(5) CHOICE(6) CHOICE(7)
#elif N == 4
#define NODES 16
#define EACH_NODE(CHOICE) \
	CHOICE(0) CHOICE(1) CHOICE(2) CHOICE(3) CHOICE(4) CHOICE(5) CHOICE(6) CHOICE(7) \
	CHOICE(8) CHOICE(9) CHOICE(10) CHOICE(11) CHOICE(12) CHOICE(13) CHOICE(14) CHOICE(15)
#else
#define EIGHT(CHOICE, first) \
	CHOICE(first) CHOICE(first + 1) CHOICE(first + 2) CHOICE(first + 3) \
	CHOICE(first + 4) CHOICE(first + 5) CHOICE(first + 6) CHOICE(first + 7)
#if N == 5
#define NODES 32
#define EACH_NODE(CHOICE) EIGHT(CHOICE, 0) EIGHT(CHOICE, 8) EIGHT(CHOICE, 16) EIGHT(CHOICE, 24)
#else
#define NODES 64
#define EACH_NODE(CHOICE) \
	EIGHT(CHOICE, 0) EIGHT(CHOICE, 8) EIGHT(CHOICE, 16) EIGHT(CHOICE, 24) \
	EIGHT(CHOICE, 32) EIGHT(CHOICE, 40) EIGHT(CHOICE, 48) EIGHT(CHOICE, 56)
#endif
#endif

#define OTHER(node) :: id != node -> dest = node
#define FIRST(node) :: first = node

byte pos = NONE;	/* of the message */
byte dest = NONE;
chan link[NODES] = [1] of { bit };

proctype node(byte id)
{
	byte diff;
	byte next = NOWHERE;

	do
	:: atomic {
		link[id]?1;
		if
		:: dest == id ->
			if
			EACH_NODE(OTHER)
			fi
		:: else
		fi
	   };
	   atomic {
		diff = id ^ dest;
		if
		:: diff & 1 -> next = id ^ 1
#if N > 1
		:: diff & 2 -> next = id ^ 2
#endif
#if N > 2
		:: diff & 4 -> next = id ^ 4
#endif
#if N > 3
		:: diff & 8 -> next = id ^ 8
#endif
#if N > 4
		:: diff & 16 -> next = id ^ 16
#endif
#if N > 5
		:: diff & 32 -> next = id ^ 32
#endif
		fi;
		link[next]!1;
		pos = next;
		diff = 0;
		next = NONE
	   }
	od
}

init {
	byte first;

	atomic {
		for (first : 0 .. NODES - 1) {
			run node(first)
		}
#if FIXED
		first = 0;
#else
		if
		EACH_NODE(FIRST)
		fi;
#endif
		pos = first;
		dest = first;
		link[first]!1;
		first = 0
	}
}
