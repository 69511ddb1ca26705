/* Leader election in an anonymous ring, by chance: Itai and Rodeh 1990, as made finite by Fokkink and Pang 2006.
 *
 * Every station draws a number and sends it round. A station that receives a larger number than its own becomes
 * passive, and passes on what it receives. Who receives its own message back is the leader if no other station had
 * drawn the same number; otherwise it draws again. Channels keep the order of messages. Stations have no identity: the
 * ring may be turned.
 *
 * expect: states 331, transitions 697, deadlocks 0
 * expect: orbits 115, group 3
 * expect N=4: states 2923, transitions 7253, deadlocks 0
 * expect N=4: orbits 749, group 4
 * expect N=3 NUMBERS=3: states 829, transitions 2137, deadlocks 0
 * expect N=3 NUMBERS=3: orbits 283, group 3
 */

#ifndef N
#define N 3
#endif
#ifndef NUMBERS /* to draw from: 2 or 3 */
#define NUMBERS 2
#endif

chan ring[N] = [N] of { byte, byte, bool };	/* number, hops, nobody else drew it */
byte leaders;

#define FROM ring[_pid]
#define TO   ring[(_pid + 1) % N]

inline draw()
{
	if
	:: number = 1
	:: number = 2
#if NUMBERS > 2
	:: number = 3
#endif
	fi;
	TO!number, 1, true
}

active [N] proctype station()
{
	byte number, other, hops;
	bool unique;

	atomic { draw() };
end_active:
	do
	:: atomic {
		FROM?other, hops, unique;
		if
		:: hops == N && unique ->
			leaders++;
			assert(leaders == 1);
			number = 0; other = 0; hops = 0; unique = false;
			goto end_leader
		:: hops == N && !unique ->
			draw()
		:: hops < N && other == number ->
			TO!other, hops + 1, false
		:: hops < N && other > number ->
			TO!other, hops + 1, unique;
			number = 0; other = 0; hops = 0; unique = false;
			goto end_passive
		:: hops < N && other < number
		fi;
		other = 0; hops = 0; unique = false
	   }
	od;

end_passive:
	do
	:: atomic {
		FROM?other, hops, unique;
		TO!other, hops + 1, unique;
		other = 0; hops = 0; unique = false
	   }
	od;

end_leader:
	false
}
