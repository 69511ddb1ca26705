/* A scheduler with a sorted queue: `!!` inserts by order, `??` finds a message anywhere.
 *
 * Jobs are records. `!!` keeps the queue sorted by the fields of the messages, the first one first: urgent jobs
 * overtake. A clerk may cancel a job by its number, wherever it is in the queue. Numbers are given in an indivisible
 * deterministic step, and the ends of jobs are announced by rendezvous.
 *
 * expect: states 8236, transitions 21853, deadlocks 0
 */

typedef Job {
	byte rank;
	byte number
};

#define URGENT 0
#define NORMAL 1

chan queue = [2] of { Job };
chan announce = [0] of { bool };
byte numbers;
bit late;		/* the last job that was done was a normal one */

inline next_number()
{
	d_step {
		numbers++;
		if
		:: numbers == 2 -> numbers = 0
		:: else
		fi
	}
}

active proctype submitter()
{
	Job job;

	do
	:: next_number();
	   job.number = numbers;
	   if
	   :: job.rank = URGENT
	   :: job.rank = NORMAL
	   fi;
	   if
	   :: queue!!job
	   :: full(queue)			/* refused */
	   fi;
	   d_step { job.rank = 0; job.number = 0 }
	od
}

active proctype scheduler()
{
	Job job;

	do
	:: atomic {
		queue?job;
		assert(job.rank == URGENT || !queue??[URGENT, _])
	   };
	   announce!(job.rank == URGENT);
	   d_step { job.rank = 0; job.number = 0 }
	od
}

active proctype clerk()
{
	byte rank;

	do
	:: announce?true -> late = 0
	:: announce?false -> late = 1
	:: atomic { queue??rank, eval(numbers) -> rank = 0 }	/* cancels the last one submitted */
	od
}
