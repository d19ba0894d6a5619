/* Querying devices through a worker, since the supervisor never touches a driver: a driver that
 * hangs or crashes when queried must not affect the supervisor. */
#pragma once

#include <stdbool.h>

#include "conformance/base/reason.h"
#include "conformance/model/finding.h"
#include "conformance/wire/message.h"

enum { PROBE_DEVICES_MAX = PROTOCOL_DEVICES_MAX, PROBE_LINE_BYTES = 1024 };

/* The driver's libraries and the GPUs' boards; empty as far as they could not be found. */
struct probe_stack {
    bool has_driver;                              /* that starts; it may show no GPU */
    struct library_file libraries[LIBRARY_COUNT]; /* of the driver, the JIT compiler's too */
    struct board boards[PROBE_DEVICES_MAX];       /* by the number of a device */
};

/* How many GPUs the driver has, what distinguishes the first PROBE_DEVICES_MAX, their boards, and
 * the driver's libraries that a worker loads which opens the device `ordinal`. 0 with the reason:
 * REASON_ABSENT on a machine without a GPU (no libcuda, or a driver without a device, and no other
 * sign of a GPU), another where the GPU stack does not work.
 */
int probe_count(int ordinal, struct device_identity ret_devices[PROBE_DEVICES_MAX],
                struct probe_stack *ret_stack, struct reason *ret_reason);

/* The data on one device. False with the reason. */
bool probe_info(struct device_set id, struct device_info *ret, struct reason *ret_reason);

/* The choice of `--device`. */
struct probe_choice {
    struct device_info devices[PROBE_DEVICES_MAX]; /* as far as known before they are opened */
    int count;
    struct probe_stack stack;    /* empty for the host device */
    char line[PROBE_LINE_BYTES]; /* which they are and why, or why no device is used */
    char no_gpu[128]; /* why the CPU cannot pass in place of the GPUs of a driver; "" if it can */
    bool is_made, has_none;  /* has_none: a GPU was looked for, and none can be used */
    enum exit_status status; /* what the command ends with where it is not made */
    double took_s;
};

/* The devices that `--device` names (GPUs by their labels), as far as they are known
 * before they are opened: number, kind, and of a GPU UUID and compute capability. False when there
 * is no such device, or a GPU stack that does not work. A broken stack never falls back on the host
 * device: the PASS would be read as the GPU's. A driver that shows no GPU does, and `no_gpu` says
 * why nothing can pass then. */
bool probe_choose(const char *device, struct probe_choice *ret);

/* How many different devices are chosen, alone or in sets. */
int probe_gpus(const struct probe_choice *choice);

/* True if a chosen GPU admits one process at a time, as far as its driver reports it. */
bool probe_is_exclusive(const struct probe_choice *choice);

/* Signs of an NVIDIA GPU that the system shows whether or not libcuda can be used. */

/* Tests only: a folder with a further /dev, /proc and /sys of the same form. It can add signs and
 * takes none away, so it never turns a GPU's machine into one without. */
#define GPU_SIGN_ROOT "ASSAY_TEST_ROOT"
