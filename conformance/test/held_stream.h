/* A GPU's asynchronous stream in place of the emulation's: a host function that is launched runs
 * in a thread, and a bench of nothing on it. */
#pragma once

#include <stdbool.h>

#include "conformance/work/timer.h"
#include "spec/testing.h"

cu_result launch_in_thread(cu_stream stream, void (*function)(void *), void *context);
cu_result wait_for_holder(cu_stream stream);
bool stream_is_held(void);

/* Events of a device that counts its own time, of that many nanoseconds, while it has work: an idle
 * one has the host's, and a wait returns no sooner than the host's clock. A `wrong` clock gives
 * each time between two events multiplied by that much, if it is below `wrong_below_ms`. */
enum { COUNTED_EVENTS = 4096 }; /* more than there are at once */
struct counted_clock {
    double now_ns;
    double wrong, wrong_below_ms; /* 0: right */
    bool is_busy;
    double event_ns[COUNTED_EVENTS];
};
extern struct counted_clock counted_clock;
cu_result record_counted(cu_event event, cu_stream stream);
cu_result elapse_counted(float *ret_ms, cu_event begin, cu_event end);
cu_result wait_for_counted(cu_stream stream); /* and for the holder */

/* Counts its launches in the int at `context`. */
cu_result launch_nothing(void *context, uint64_t turn);

/* Two samples of that, on the host device as if it were a GPU. */
struct bench_times time_nothing(bool is_held, int hold_ms, const struct nvml *nvml);
