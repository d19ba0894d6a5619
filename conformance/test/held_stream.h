/* A GPU's asynchronous stream in place of the emulation's: a host function that is launched runs
 * in a thread, and a bench of nothing on it. */
#pragma once

#include <stdbool.h>

#include "conformance/work/timer.h"
#include "spec/testing.h"

cu_result launch_in_thread(cu_stream stream, void (*function)(void *), void *context);
cu_result wait_for_holder(cu_stream stream);
bool stream_is_held(void);

/* Counts its launches in the int at `context`. */
cu_result launch_nothing(void *context, uint64_t turn);

/* Two samples of that, on the host device as if it were a GPU. */
struct bench_times time_nothing(bool is_held, int hold_ms, const struct nvml *nvml);
