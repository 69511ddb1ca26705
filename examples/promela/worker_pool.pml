/* A pool of workers: processes that are started while the model runs, and end.
 *
 * The manager starts at most N workers at a time, TASKS in all. Spin removes a process that has ended only when all
 * that were started after it are gone, and gives its identifier to the next one. So workers end in the reverse order
 * of their start: which of them are at work is seen in the identifiers, and they are not interchangeable.
 *
 * expect: states 362, transitions 935, deadlocks 0
 */

#ifndef N
#define N 3
#endif
#ifndef TASKS
#define TASKS 5
#endif

byte working, done;

proctype worker()
{
	working++;
	atomic { working--; done++ }
}

active proctype manager()
{
	byte started;

	do
	:: started < TASKS && _nr_pr <= N -> run worker(); started++
	:: started == TASKS -> break
	od;
	_nr_pr == 1;
	assert(done == TASKS)
}
