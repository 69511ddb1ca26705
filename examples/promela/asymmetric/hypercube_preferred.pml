/* The hypercube, but node 0 uses dimension 0 whenever it can.
 *
 * What fixes node 0 and dimension 0 is left: (N-1)! permutations of the other dimensions.
 *
 * expect: states 15139, transitions 28251, deadlocks 0
 * expect: orbits 7910, group 2
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
#else
#define NODES 16
#define EACH_NODE(CHOICE) \
	CHOICE(0) CHOICE(1) CHOICE(2) CHOICE(3) CHOICE(4) CHOICE(5) CHOICE(6) CHOICE(7) \
	CHOICE(8) CHOICE(9) CHOICE(10) CHOICE(11) CHOICE(12) CHOICE(13) CHOICE(14) CHOICE(15)
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
		:: (diff & 2) && !(id == 0 && (diff & 1)) -> next = id ^ 2
#endif
#if N > 2
		:: (diff & 4) && !(id == 0 && (diff & 1)) -> next = id ^ 4
#endif
#if N > 3
		:: (diff & 8) && !(id == 0 && (diff & 1)) -> next = id ^ 8
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
