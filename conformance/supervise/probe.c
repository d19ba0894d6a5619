/* Questions to short-lived workers (probe.h). */
#include "conformance/supervise/probe.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/clock.h"
#include "conformance/number.h"
#include "conformance/supervise/child.h"
#include "conformance/supervise/gpu_sign.h"

enum { PROBE_S_MAX = 120, QUIET_S = 2 };

/* Waits for the worker's one answer. */
static bool ask(int ordinal, struct message_header *ret_header, void *ret_body, size_t capacity,
                char *why, size_t why_bytes)
{
    struct message_open open = {.ordinal = ordinal, .threads = 1, .sharers = 1};
    struct child *child = calloc(1, sizeof *child);
    if (child == NULL || !child_start(child, &open, why, why_bytes)) {
        free(child);
        return false;
    }
    bool answered = false, alive = true, told = false;
    for (double began_s = clock_now_s(); alive && !answered;) {
        struct pollfd polled = {.fd = child->from_fd, .events = POLLIN};
        poll(&polled, 1, 1000);
        alive = child_receive(child);
        answered = child_next(child, ret_header, ret_body, capacity);
        double waited_s = clock_now_s() - began_s;
        if (waited_s > PROBE_S_MAX)
            break;
        if (!answered && alive && !told && waited_s > QUIET_S) {
            fprintf(stderr, "assay: waiting for the GPU driver to answer, for at most %d s\n",
                    PROBE_S_MAX);
            told = true;
        }
    }
    int status = child_stop(child, !answered);
    if (!answered) {
        char end[64];
        child_describe(status, end, sizeof end);
        snprintf(why, why_bytes, "the driver did not answer: %s", alive ? "too late" : end);
    }
    free(child);
    return answered;
}

/* No driver, or one without a device, is as it should be only where nothing else shows a GPU. */
static bool is_missed(char *why, size_t why_bytes)
{
    char sign[96];
    size_t at = strlen(why);
    if (!gpu_sign_find(sign, sizeof sign))
        return false;
    snprintf(why + at, why_bytes - at, ", but %s", sign);
    return true;
}

int probe_count(struct device_identity ret_devices[PROBE_DEVICES_MAX], bool *ret_broken, char *why,
                size_t why_bytes)
{
    struct message_header header;
    union {
        struct message_count count;
        char text[PROTOCOL_MESSAGE_BYTES_MAX];
    } body;
    *ret_broken = true;
    if (!ask(PROTOCOL_ORDINAL_COUNT, &header, &body, sizeof body, why, why_bytes))
        return 0;
    if (header.type != MESSAGE_COUNT) {
        snprintf(why, why_bytes, "%.*s", (int)sizeof body.text - 1, body.text);
        *ret_broken = header.type == MESSAGE_BROKEN || is_missed(why, why_bytes);
        return 0;
    }
    int count = body.count.count;
    if (count == 0)
        snprintf(why, why_bytes, "the CUDA driver has no device");
    *ret_broken = count == 0 && is_missed(why, why_bytes);
    memcpy(ret_devices, body.count.devices, sizeof body.count.devices);
    return count > PROBE_DEVICES_MAX ? PROBE_DEVICES_MAX : count;
}

bool probe_info(int ordinal, struct device_info *ret, char *why, size_t why_bytes)
{
    struct message_header header;
    union {
        struct device_info info;
        char text[PROTOCOL_MESSAGE_BYTES_MAX];
    } body;
    if (!ask(ordinal, &header, &body, sizeof body, why, why_bytes))
        return false;
    if (header.type != MESSAGE_READY) {
        snprintf(why, why_bytes, "%.*s", (int)sizeof body.text - 1, body.text);
        return false;
    }
    *ret = body.info;
    return true;
}

bool probe_choose(const char *device, struct probe_device ret_devices[PROBE_DEVICES_MAX],
                  int *ret_count, char *ret_line, size_t line_bytes, enum exit_status *ret_status)
{
    struct device_identity identities[PROBE_DEVICES_MAX];
    char why[FINDING_NOTE_BYTES], number[NUMBER_COUNT_BYTES];
    bool broken;
    *ret_status = EXIT_STATUS_USAGE;
    ret_devices[0] = (struct probe_device){.ordinal = DEVICE_ORDINAL_HOST};
    *ret_count = 1;
    if (strcmp(device, "host") == 0) {
        snprintf(ret_line, line_bytes, "host, the CPU, as --device host asks");
        return true;
    }
    int count = probe_count(identities, &broken, why, sizeof why);
    bool automatic = strcmp(device, "auto") == 0;
    if (count == 0 && broken) {
        *ret_status = EXIT_STATUS_NOTHING_RAN;
        snprintf(ret_line, line_bytes,
                 "the GPU stack does not work: %s; --device host would check the CPU alone", why);
        return false;
    }
    if (count == 0 && automatic) {
        snprintf(ret_line, line_bytes,
                 "host, the CPU, since no GPU can be used (%s): no GPU is checked", why);
        return true;
    }
    if (count == 0) {
        snprintf(ret_line, line_bytes, "--device %s: no GPU can be used: %s", device, why);
        return false;
    }
    if (automatic || strcmp(device, "all") == 0) {
        for (int ordinal = 0; ordinal < count; ordinal++)
            ret_devices[ordinal] = (struct probe_device){ordinal, identities[ordinal]};
        *ret_count = count;
        snprintf(ret_line, line_bytes, "%s, all that the driver has",
                 number_count((uint64_t)count, "GPU", number));
        return true;
    }
    int ordinal = atoi(device + strlen("cuda:"));
    if (ordinal >= count) {
        snprintf(ret_line, line_bytes, "--device %s: the driver has cuda:0 to cuda:%d", device,
                 count - 1);
        return false;
    }
    ret_devices[0] = (struct probe_device){ordinal, identities[ordinal]};
    snprintf(ret_line, line_bytes, "%s, as --device asks", device);
    return true;
}
