/* A three-tiered architecture: clients ask their servers, and servers ask the database.
 *
 * Donaldson, Miller, Calder 2005, "SPIN-to-GRAPE", section 4: one database, three servers, and C1, C2, C3 clients. All
 * channels are synchronous. A database or server clears `who` in a step of its own, to a value that is not the one it
 * began with: who never served anybody can be told from who did.
 *
 * Clients of one server may be exchanged, and servers with equally many clients, together with their clients. How many
 * orbits there are depends on which servers have equally many clients, not on how many these are.
 *
 * expect: states 4393, transitions 16899, deadlocks 0
 * expect: orbits 281, group 144
 * expect C1=2 C2=2 C3=1: states 1378, transitions 4831, deadlocks 0
 * expect C1=2 C2=2 C3=1: orbits 281, group 8
 * expect C1=2 C2=2 C3=2: states 2267, transitions 8360, deadlocks 0
 * expect C1=2 C2=2 C3=2: orbits 114, group 48
 * expect C1=3 C2=2 C3=1: states 1919, transitions 6879, deadlocks 0
 * expect C1=3 C2=2 C3=1: orbits 508, group 12
 */

#ifndef C1
#define C1 3
#endif
#ifndef C2
#define C2 3
#endif
#ifndef C3
#define C3 2
#endif
#ifndef LENGTH /* of the first server's request channel */
#define LENGTH 0
#endif

#define SERVERS 3
#define CLIENTS (C1 + C2 + C3)
#define NOBODY  254 /* so far */
#define NONE    255 /* any more */

mtype = { request, result, query, data };

chan to_database = [0] of { mtype, byte };
chan from_database[SERVERS] = [0] of { mtype };
chan to_server_1 = [LENGTH] of { mtype, byte };
chan to_server_2 = [0] of { mtype, byte };
chan to_server_3 = [0] of { mtype, byte };
chan to_client[CLIENTS] = [0] of { mtype };

proctype database()
{
	byte who = NOBODY;

	do
	:: to_database?query(who);
	   from_database[who]!data;
	   who = NONE
	od
}

proctype server(byte id; chan requests)
{
	byte who = NOBODY;

	do
	:: requests?request(who);
	   to_database!query(id);
	   from_database[id]?data;
	   to_client[who]!result;
	   who = NONE
	od
}

proctype client(byte id; chan requests)
{
	do
	:: requests!request(id);
	   to_client[id]?result
	od
}

init {
	byte i;

	atomic {
		run database();
		run server(0, to_server_1);
		run server(1, to_server_2);
		run server(2, to_server_3);
		for (i : 1 .. C1) {
			run client(i - 1, to_server_1)
		}
		for (i : 1 .. C2) {
			run client(C1 + i - 1, to_server_2)
		}
		for (i : 1 .. C3) {
			run client(C1 + C2 + i - 1, to_server_3)
		}
		i = 0
	}
}
