/* Clients and servers, but the channel of one client has two places.
 *
 * It never holds more than one message, so that nothing else changes. But a length belongs to the type of a channel:
 * only the other clients may be exchanged, and the servers: S_(CLIENTS-1) x S_SERVERS.
 *
 * expect: states 748, transitions 2278, deadlocks 0
 * expect: orbits 227, group 4
 */

#ifndef CLIENTS
#define CLIENTS 3
#endif
#ifndef SERVERS
#define SERVERS 2
#endif
#ifndef LENGTH
#define LENGTH 2
#endif

mtype = { request, answer };

chan requests = [LENGTH] of { mtype, chan };

active proctype patient_client()
{
	chan mine = [2] of { mtype };

	do
	:: requests!request(mine);
	   mine?answer
	od
}

active [CLIENTS - 1] proctype client()
{
	chan mine = [1] of { mtype };

	do
	:: requests!request(mine);
	   mine?answer
	od
}

active [SERVERS] proctype server()
{
	chan whose;

	do
	:: requests?request(whose);
	   whose!answer
	od
}
