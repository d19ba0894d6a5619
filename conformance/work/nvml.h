/* NVML's readings of a GPU while it is timed: clocks, what holds them down, heat, power, memory
 * errors, and who else is on it. From libnvidia-ml.so.1, opened at run time; a machine without it
 * is measured all the same, and the reason is reported. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/base/reason.h"
#include "conformance/model/device_info.h"

enum { NVML_PROCESS_LISTS = 2 };

/* Functions by the ABI's own types; every one returns 0 for success. */
struct nvml {
    void *library; /* NULL: not open */
    void *device;
    int (*shutdown)(void);
    int (*clock_info)(void *device, int type, unsigned *ret_mhz);
    int (*reasons)(void *device, unsigned long long *ret);
    int (*temperature)(void *device, int sensor, unsigned *ret_c);
    int (*power)(void *device, unsigned *ret_mw);
    int (*ecc_errors)(void *device, int type, int counter, unsigned long long *ret);
    /* Compute processes, and those through MPS; NULL in an older library. */
    int (*processes[NVML_PROCESS_LISTS])(void *device, unsigned *count, void *ret_infos);
};

/* Opens the library and the device with that UUID ("GPU-..."). False with the reason; *ret is
 * untouched then. */
bool nvml_open(struct nvml *ret, const char *uuid, struct reason *ret_reason);
bool nvml_open_library(const char *library_name, struct nvml *ret, const char *uuid,
                       struct reason *ret_reason);
void nvml_close(struct nvml *nvml);

/* A reading of the device; all 0 if NVML is not open. */
struct nvml_reading nvml_read(const struct nvml *nvml);

struct nvml_company nvml_look_around(const struct nvml *nvml);

/* True if the reasons slow the device down: all except idling and clocks that its owner has
 * set. */
bool nvml_slows(uint64_t reasons);

/* True if a clock under load is lower than the device's own although nothing slowed it: its owner
 * has locked it. False if the driver does not report it. */
bool nvml_is_held(double mhz, double own_khz, uint64_t reasons);

/* The slowing reasons in words: "power cap, hardware slowdown"; "none". Returns `ret_text`. */
const char *nvml_reasons_text(uint64_t reasons, char *ret_text, size_t text_bytes);

/* Reads what NVML says of a GPU's board. */

/* Every value that the library has a function for and the GPU an answer to; all unknown where NVML
 * is not open. */
struct board nvml_read_board(const struct nvml *nvml);
