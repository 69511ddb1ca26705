/* Peterson's algorithm for two processes, with formulas.
 *
 * Who wants to enter does so if runs are weakly fair to processes (`pan -f`). Otherwise the other process may be the
 * only one that moves. Nobody has to want to enter: a process may stay idle for ever, and Spin's fairness does not
 * prevent that, as it does take steps.
 *
 * expect: states 34, transitions 79, deadlocks 0
 *
 * ltl holds: exclusion
 * ltl holds (fair weak by process): exclusion
 * ltl violated: entry
 * ltl holds (fair weak by process): entry
 * ltl violated: again
 * ltl violated (fair weak by process): again
 * ltl violated: patience
 * ltl holds (fair weak by process): patience
 */

mtype = { idle, waiting, critical };

mtype phase[2] = idle;
bool wants[2];
byte turn;

#define ME    _pid
#define OTHER (1 - _pid)

active [2] proctype process()
{
	do
	:: true -> skip			/* does something else */
	:: wants[ME] = true;
	   atomic { turn = OTHER; phase[ME] = waiting };
	   atomic { !wants[OTHER] || turn == ME -> phase[ME] = critical };
	   atomic { wants[ME] = false; phase[ME] = idle }
	od
}

ltl exclusion { [] !(phase[0] == critical && phase[1] == critical) }
ltl entry     { [] ((phase[0] == waiting) -> <> (phase[0] == critical)) }
ltl again     { [] <> (phase[0] == critical) }
ltl patience  { [] ((phase[0] == waiting) -> (wants[0] U (phase[0] == critical))) }
