/* Leader election in a ring, but station 0 always draws the lowest number.
 *
 * The ring may not be turned any more: no symmetry is left.
 *
 * expect: states 144, transitions 282, deadlocks 0
 * expect: orbits 144, group 1
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
	:: _pid != 0 -> number = 2
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
