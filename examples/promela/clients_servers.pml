/* Clients and servers: requests go through one buffered channel, and carry the channel for the answer.
 *
 * Each client has a channel of its own and sends it along. Any server takes the next request. Clients may be
 * exchanged, together with their channels, and so may servers: S_CLIENTS x S_SERVERS. A server keeps the channel of
 * its last client.
 *
 * expect: states 748, transitions 2278, deadlocks 0
 * expect: orbits 85, group 12
 * expect CLIENTS=4 SERVERS=2 LENGTH=2: states 3721, transitions 13665, deadlocks 0
 * expect CLIENTS=4 SERVERS=2 LENGTH=2: orbits 137, group 48
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

active [CLIENTS] proctype client()
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
