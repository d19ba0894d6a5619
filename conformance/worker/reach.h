/* What a worker's checks have reached of the device: SMs by kernel and code path, as the kernels
 * note them themselves, and distinct memory. */
#ifndef ASSAY_CONFORMANCE_WORKER_REACH_H
#define ASSAY_CONFORMANCE_WORKER_REACH_H

#include "conformance/wire/message.h"
#include "conformance/work/checker.h"

struct reach;

/* NULL without memory. */
struct reach *reach_open(void);
void reach_close(struct reach *reach);

/* The SMs that the checker's launches of the subject have noted, and the memory of its last case.
 * True where that is more than any thread of the worker had: *ret is to be sent. Any thread may
 * ask, one at a time. */
bool reach_add(struct reach *reach, const struct checker *checker, struct subject subject,
               struct message_reached *ret);

#endif
