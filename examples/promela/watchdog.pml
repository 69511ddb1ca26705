/* A machine with an emergency stop, and a watchdog: `unless`, `timeout`, and end labels.
 *
 * The escape clause of an `unless` has precedence over each statement of the main sequence: once `stop` is set, the
 * machine works no more. When all other processes are blocked, the watchdog resets it. That the operator, the
 * watchdog, or the stopped machine wait for ever would be no deadlock, because of their end labels.
 *
 * expect: states 86, transitions 119, deadlocks 0
 *
 * ltl holds: stops
 * ltl holds (fair weak by process): stops
 * ltl violated: calm
 */

bool stop, broken;
bit calls;		/* of the operator, modulo 2 */
chan alarm = [0] of { bit };

active proctype machine()
{
	byte pieces;

	do
	:: {
		do
		:: pieces < 2 -> pieces++
		:: pieces == 2 -> pieces = 0
		:: broken = true; false
		od
	   } unless {
		stop -> pieces = 0
	   };
end_stopped:
	   !stop
	od
}

active proctype watchdog()
{
end_watch:
	do
	:: timeout ->
		if
		:: broken -> broken = false; stop = true; alarm!1
		:: !broken && stop -> stop = false
		fi
	od
}

active proctype operator()
{
end_idle:
	do
	:: alarm?1 -> calls = 1 - calls
	od
}

ltl stops { [] (stop -> !broken) }
ltl calm  { <> [] !stop }
