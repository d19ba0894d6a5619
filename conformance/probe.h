/* Asking after devices through a worker, since the supervisor never touches a driver: a driver that
 * hangs or crashes when it is asked must not take the supervisor along. */
#ifndef ASSAY_CONFORMANCE_PROBE_H
#define ASSAY_CONFORMANCE_PROBE_H

#include "conformance/device.h"

enum { PROBE_DEVICES_MAX = 64 };

/* How many GPUs the driver has; 0 with the reason in `why`. */
int probe_count(char *why, size_t why_bytes);

/* What is to be known of one device. False with the reason. */
bool probe_info(int ordinal, struct device_info *ret, char *why, size_t why_bytes);

/* The devices that `--device` names, and a line on which they are and why. False when there is no
 * such device; `ret_line` says so. */
bool probe_choose(const char *device, int ret_ordinals[PROBE_DEVICES_MAX], int *ret_count,
                  char *ret_line, size_t line_bytes);

#endif
