/* Two producers and a consumer with a progress label, and an observer with an accept label.
 *
 * Non-progress cycles (`pan -l`): the observer may go on alone, so there are some; under weak fairness the consumer
 * moves again and again, and all infinite runs make progress. Acceptance cycles (`pan -a`): the observer's loop is
 * one.
 *
 * expect: states 42, transitions 112, deadlocks 0
 *
 * progress violated: np_
 * progress holds (fair weak by process): np_
 * accept violated: accept
 * accept violated (fair weak by process): accept
 */

chan buffer = [2] of { byte };
bool looked;

active [2] proctype producer()
{
	do
	:: buffer!_pid
	od
}

active proctype consumer()
{
	do
	:: buffer?_ ->
progress:	skip
	od
}

active proctype observer()
{
	do
	:: full(buffer) ->
accept:		looked = true;
		looked = false
	od
}
