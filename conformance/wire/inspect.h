/* Looking through what a worker says before it is used: its memory may hold anything, as whatever
 * the driver or a kernel did to the process was done to its messages too. */
#ifndef ASSAY_CONFORMANCE_WIRE_INSPECT_H
#define ASSAY_CONFORMANCE_WIRE_INSPECT_H

#include "conformance/base/reason.h"
#include "conformance/wire/message.h"

/* True when the message is one that a worker sends: of a known type, as long as that is, with every
 * number in its range and every text ended. Texts are tamed, and the finding that a pass leaves out
 * is zeroed, in `body`, which has room for `capacity` bytes. False with the reason. */
bool message_inspect(const struct message_header *header, void *body, size_t capacity,
                     struct reason *ret_reason);

/* True when the finding is of a case of this algorithm: its operand is one of that. */
bool message_finding_fits(const struct finding *finding, const struct algorithm *algorithm);

#endif
