/* The worker: the process that touches the device. It is this program, started by the supervisor
 * with fork and exec; it reads cases from its standard input and answers on PROTOCOL_RESULT_FD. */
#pragma once

#include "conformance/wire/message.h"
#include "conformance/work/checker.h"

/* Serves until its input ends. Returns main's status: 0, or EXIT_STATUS_HARNESS. */
int worker_main(void);

/* The coverage of a worker's checks: SMs by kernel and code path, as the kernels note them
 * themselves, and distinct memory. */

struct reach;

struct reach *reach_open(void);
void reach_close(struct reach *reach);

/* The SMs that the checker's launches of the subject have noted, and the memory of its last case.
 * True if that is more than any thread of the worker had: *ret is to be sent. Any thread may
 * ask, one at a time. */
bool reach_add(struct reach *reach, const struct checker *checker, struct subject subject,
               struct message_reached *ret);
