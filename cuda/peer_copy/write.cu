/* Peer copy by a kernel of the first GPU that stores to the second GPU's memory: remote writes are
 * posted, and the stream's end waits for them.
 * Clauses: peer_copy.value.same, memory.guards.untouched. */
#include "device.h"
#include "peer_copy/copy_body.h"

PEER_COPIES(peer_copy_write)
