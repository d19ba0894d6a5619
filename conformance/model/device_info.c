/* Sorts and names of devices (device_info.h). A new sort is a row here. */
#include "conformance/model/device_info.h"

#include <stdio.h>
#include <string.h>

const char *library_name(enum library library)
{
    static const char *const names[LIBRARY_COUNT] = {
        [LIBRARY_CUDA] = "libcuda",
        [LIBRARY_JIT] = "jit",
        [LIBRARY_NVML] = "nvml",
    };
    return names[library];
}

static bool open_libcuda(struct cuda_driver *ret, struct reason *ret_reason)
{
    struct driver_refusal refusal;
    return driver_open_libcuda(ret, &refusal) ||
           reason_set(ret_reason, refusal.absent ? REASON_ABSENT : REASON_BROKEN, "%s",
                      refusal.text);
}

static bool open_emulation(struct cuda_driver *ret, struct reason *ret_reason)
{
    (void)ret_reason;
    driver_open_host(ret);
    return true;
}

static bool open_nothing(struct cuda_driver *ret, struct reason *ret_reason)
{
    (void)ret;
    return reason_set(ret_reason, REASON_ABSENT,
                      "an architecture is no device: nothing runs on it");
}

const struct device_kind device_kinds[DEVICE_KIND_COUNT] = {
    [DEVICE_GPU] = {.label = "cuda:",
                    .is_numbered = true,
                    .paths_of = DEVICE_GPU,
                    .is_gpu = true,
                    .open_driver = open_libcuda,
                    .is_timed = true,
                    .is_shared = true,
                    .has_one_nan = true,
                    .has_choice = true,
                    .elements_max = 1 << 24},
    /* Two rows just past 2^16 are among its cases. */
    [DEVICE_HOST] = {.label = "host",
                     .paths_of = DEVICE_HOST,
                     .open_driver = open_emulation,
                     .is_emulated = true,
                     .elements_max = 9 << 14},
    /* Machine code for it can be read where there is no such device. */
    [DEVICE_ARCHITECTURE] = {.label = "sm_",
                             .is_numbered = true,
                             .paths_of = DEVICE_GPU,
                             .open_driver = open_nothing,
                             .has_choice = true},
};

const struct device_id device_host = {.kind = DEVICE_HOST};

const struct device_kind *device_kind(const struct device_info *info)
{
    return &device_kinds[info->id.kind];
}

bool device_is_same(struct device_id left, struct device_id right)
{
    return left.kind == right.kind && left.ordinal == right.ordinal;
}

const char *device_label(struct device_id id, char ret_text[DEVICE_LABEL_BYTES])
{
    const struct device_kind *kind = &device_kinds[id.kind];
    if (kind->is_numbered)
        snprintf(ret_text, DEVICE_LABEL_BYTES, "%s%d", kind->label, id.ordinal);
    else
        snprintf(ret_text, DEVICE_LABEL_BYTES, "%s", kind->label);
    return ret_text;
}

const struct device_kind *device_kind_of(const char *label)
{
    struct device_id id = {.kind = DEVICE_GPU};
    device_find(label, &id);
    return &device_kinds[id.kind];
}

bool device_find(const char *label, struct device_id *ret)
{
    struct device_id id = {.ordinal = 0};
    char own[DEVICE_LABEL_BYTES];
    for (id.kind = 0; id.kind < DEVICE_KIND_COUNT; id.kind++) {
        const struct device_kind *kind = &device_kinds[id.kind];
        const size_t letters = strlen(kind->label);
        id.ordinal = 0;
        if (strncmp(label, kind->label, letters) != 0 ||
            (kind->is_numbered && sscanf(label + letters, "%4d", &id.ordinal) != 1) ||
            id.ordinal < 0 || strcmp(device_label(id, own), label) != 0)
            continue;
        *ret = id;
        return true;
    }
    return false;
}
