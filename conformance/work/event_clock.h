/* A device's events held against the host's clock. Every bandwidth is a time between two events, so
 * a driver or a GPU whose events run 10 % fast makes each of them 10 % too high.
 *
 *     struct event_clock clock = {.driver = &driver, .stream = stream};
 *     error = event_clock_begin(&clock);                        before the first launch
 *     error = event_clock_series(&clock, events, count, ms);    as often as events are read
 *     error = event_clock_end(&clock, &finding);                after the last launch
 *     event_clock_release(&clock);                              in any case
 *
 * No load of the host makes it report a good clock, or miss a bad one:
 *
 * - A mark is an event on a stream with no other work, between two readings of the host's clock:
 * one before it is enqueued, one after the wait for it. So the host's clock bounds the time between
 *   two marks on both sides. A host that is late widens the bounds. The marks are made again, and
 *   further apart, until the bounds are 1 % of that time or less.
 * - A series, which is what is measured, lies between the marks. Its times add up to the time
 *   from its first event to its last, as both are known from the first mark. So a driver whose
 *   short times are wrong while long ones are right is found, too.
 *
 * 1 % is far from what healthy clocks differ by (a crystal 0.01 %, an adjusted host clock 0.05 %),
 * and with the bounds' 1 % each error of 2 % is found, less than the loss that floors find
 * (BENCH_LOSS). Clause: bandwidth.samples.clock. */
#pragma once

#include "conformance/model/finding.h"
#include "cuda/driver.h"

#define EVENT_CLOCK_TOLERANCE 0.01

/* By the host's clock. */
struct event_mark {
    cu_event event;
    double before_s, after_s;
};

/* Without event_clock_begin nothing is compared. */
struct event_clock {
    const struct cuda_driver *driver;
    cu_stream stream;
    struct event_mark begin, end;
    /* A series did not add up. Its times together, and the time from its first event to its last.
     */
    bool is_torn;
    double parts_ms, whole_ms;
    double ratio; /* of the events' time to the host's, in the middle of its bounds */
};

/* Makes the first mark, after all that is on the stream. Every function returns the driver's error.
 */
cu_result event_clock_begin(struct event_clock *clock);

/* The times between consecutive events, all of which have happened: `count` - 1 of them. */
cu_result event_clock_series(struct event_clock *clock, const cu_event *events, int count,
                             float *ret_ms);

/* Makes the second mark. *ret: INCONCLUSIVE if the events' time is not the host's, or if the bounds
 * are still too wide after a second; else it is left as it is. */
cu_result event_clock_end(struct event_clock *clock, struct finding *ret);

void event_clock_release(struct event_clock *clock);
