/* A traffic light, and a never claim that says what must not happen.
 *
 * The claim moves together with the model, one step at a time. It is violated if it ends, or if a run passes through a
 * state with an accept label again and again. This one ends when green is followed by red at once, and accepts runs
 * that are never green from some point on: the light may stay red for ever, also under weak fairness, as a pedestrian
 * may press again and again.
 *
 * expect: states 19, transitions 33, deadlocks 0
 *
 * never violated: never_0
 * never violated (fair weak by process): never_0
 */

mtype = { red, green, yellow };

mtype light = red;
bool pressed;

active proctype lights()
{
	do
	:: light == red && pressed -> pressed = false	/* once more for the pedestrians */
	:: light == red -> light = green
	:: light == green -> light = yellow
	:: light == yellow -> light = red
	od
}

active proctype pedestrian()
{
	do
	:: !pressed -> pressed = true
	od
}

never {
start:
	do
	:: light == green -> goto was_green
	:: light != green -> goto accept_not_green
	:: true
	od;
was_green:
	if
	:: light == red		/* the end: violated */
	:: light != red -> goto start
	fi;
accept_not_green:
	do
	:: light != green
	od
}
