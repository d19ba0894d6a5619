/* The worker: the process that touches the device. It is this program, started by the supervisor
 * with fork and exec; it reads cases from its standard input and answers on PROTOCOL_RESULT_FD. */
#ifndef ASSAY_CONFORMANCE_WORKER_WORKER_H
#define ASSAY_CONFORMANCE_WORKER_WORKER_H

/* Serves until its input ends. Returns main's status: 0, or EXIT_STATUS_HARNESS. */
int worker_main(void);

#endif
