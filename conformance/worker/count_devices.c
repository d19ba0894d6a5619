/* What the driver has (count_devices.h). */
#include "conformance/worker/count_devices.h"

#include <string.h>

#include "conformance/base/reason.h"
#include "conformance/base/verdict.h"
#include "conformance/wire/message.h"
#include "conformance/work/nvml.h"
#include "conformance/work/opened_device.h"
#include "cuda/driver.h"

_Static_assert(sizeof(struct message_count) <= PROTOCOL_MESSAGE_BYTES_MAX, "all devices fit one");

static bool answer(enum message_type type, const void *body, size_t bytes)
{
    return message_send(PROTOCOL_RESULT_FD, type, body, bytes);
}

static bool answer_libraries(void)
{
    struct library_file libraries[LIBRARY_COUNT];
    libraries_find(libraries);
    return answer(MESSAGE_LIBRARIES, libraries, sizeof libraries);
}

/* The boards of the devices that were counted. The first is held open, so that NVML starts once. */
static bool answer_boards(const struct message_count *counted)
{
    struct nvml first = {.library = NULL};
    struct reason reason;
    bool sent = true;
    for (int index = 0; index < counted->count && index < PROTOCOL_DEVICES_MAX; index++) {
        struct nvml nvml = {.library = NULL};
        nvml_open(&nvml, counted->devices[index].uuid, &reason);
        struct board board = nvml_read_board(&nvml);
        sent = sent && answer(MESSAGE_BOARD, &board, sizeof board);
        if (index == 0)
            first = nvml;
        else
            nvml_close(&nvml);
    }
    nvml_close(&first);
    return sent;
}

/* No driver, or a driver that has no device, is one thing; a driver that is there and cannot be
 * loaded, or does not start, another. */
int count_devices(int libraries)
{
    struct cuda_driver driver;
    int count = 0;
    struct reason reason;
    struct driver_refusal refusal;
    enum message_type type = MESSAGE_COUNT;
    if (!driver_open_libcuda(&driver, &refusal)) {
        type = refusal.absent ? MESSAGE_REFUSE : MESSAGE_BROKEN;
        reason_set(&reason, REASON_BROKEN, "%s", refusal.text);
    } else if (driver.init(0) == CU_ERROR_NO_DEVICE) {
        type = MESSAGE_REFUSE;
        reason_set(&reason, REASON_BROKEN, "the CUDA driver has no device");
    } else if (!device_driver(DEVICE_GPU, &driver, &count, &reason)) {
        type = MESSAGE_BROKEN;
    }
    struct message_count counted = {.count = count};
    for (int ordinal = 0; ordinal < count && ordinal < PROTOCOL_DEVICES_MAX; ordinal++)
        counted.devices[ordinal] = device_identify(&driver, ordinal);
    bool sent = type == MESSAGE_COUNT ? answer(type, &counted, sizeof counted)
                                      : answer(type, reason.text, strlen(reason.text) + 1);
    /* After the answer: a JIT compiler that hangs or crashes is a finding of the run that follows.
     */
    if (sent && type == MESSAGE_COUNT && libraries > 0) {
        sent = answer_libraries() && answer_boards(&counted);
        libraries_load_jit(&driver, libraries - 1);
        sent = answer_libraries() && sent;
    }
    return sent ? 0 : EXIT_STATUS_HARNESS;
}
