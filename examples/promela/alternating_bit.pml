/* The alternating bit protocol over channels that lose messages.
 *
 * The sender repeats a message when nothing else can happen (`timeout`). The receiver must get the numbers in their
 * order, which the assertion checks. A message may get lost each time: that the receiver gets ahead holds only where
 * channels work now and then, and weak fairness does not say so.
 *
 * expect: states 90, transitions 109, deadlocks 0
 *
 * ltl violated: delivery
 * ltl violated (fair weak by process): delivery
 * ltl holds: reliable
 * ltl holds (fair weak by process): reliable
 * progress violated: np_
 * progress violated (fair weak by process): np_
 */

#define MAX 3	/* messages are numbered 0 .. MAX - 1, again and again */

mtype = { message, acknowledgement };

chan forth = [1] of { mtype, byte, bit };
chan back = [1] of { mtype, bit };
bool delivered;

active proctype sender()
{
	byte number;
	bit mine, seen;

	do
	:: forth!message(number, mine);
	   if
	   :: back?acknowledgement(seen) ->
		if
		:: atomic { seen == mine -> mine = 1 - mine; number = (number + 1) % MAX }
		:: else
		fi;
		seen = 0
	   :: forth?message(_, _)		/* lost on the way */
	   :: timeout
	   fi
	od
}

active proctype receiver()
{
	byte number, expected;
	bit theirs, last = 1;

	do
	:: forth?message(number, theirs);
	   if
	   :: theirs == last			/* again: acknowledge it again */
	   :: else ->
progress:	assert(number == expected);
		atomic { delivered = true; expected = (expected + 1) % MAX; last = theirs };
		delivered = false
	   fi;
	   atomic { number = 0; theirs = 0 };
	   if
	   :: back!acknowledgement(last)
	   :: skip				/* lost on the way back */
	   fi
	od
}

ltl delivery { [] <> delivered }
ltl reliable { ([] <> (len(back) > 0)) -> ([] <> delivered) }
