/*
 * Inside the client only: what its files share.
 */
#ifndef ABLOAD_CLIENT_WORK_H
#define ABLOAD_CLIENT_WORK_H

#include <stdbool.h>

#include "abload/client.h"

/*
 * Draws, sends and reads one query, and sends it again where only its
 * transaction was lost.  False when the bench was told why not.
 */
bool client_exchange(
    Client *client, const Shot *shot, bool digested, WireAnswer *answer);

#endif
