/* Two producers and a consumer, but producer 0 begins only while the buffer is empty.
 *
 * Nothing is left: the two producers are the only processes of one type.
 *
 * expect: states 108, transitions 305, deadlocks 0
 * expect: orbits 108, group 1
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
	:: (_pid != 0 || len(buffer) == 0) ->
		buffer!_pid
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
