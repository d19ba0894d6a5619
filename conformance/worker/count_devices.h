/* What a worker does that opens no device: it reports to the supervisor how many GPUs the driver
 * has, and which. */
#ifndef ASSAY_CONFORMANCE_WORKER_COUNT_DEVICES_H
#define ASSAY_CONFORMANCE_WORKER_COUNT_DEVICES_H

/* Answers COUNT, or REFUSE or BROKEN with the reason. `libraries` above 0: lists the driver's
 * libraries as well, before and after the JIT compiler of device `libraries` - 1 was loaded.
 * Returns the exit status. */
int count_devices(int libraries);

#endif
