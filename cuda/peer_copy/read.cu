/* Peer copy by a kernel of the first GPU that loads from the second GPU's memory: each load makes
 * the way there and back.
 * Clauses: peer_copy.value.same, memory.guards.untouched. */
#include "device.h"
#include "peer_copy/copy_body.h"

PEER_COPIES(peer_copy_read)
