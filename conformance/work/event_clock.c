/* Marks on a stream, and what lies between them (event_clock.h). Clause:
 * bandwidth.samples.clock. */
#include "conformance/work/event_clock.h"

#include <math.h>
#include <time.h>

#include "conformance/base/process.h"

enum {
    BEGIN_TRIES = 8,
    END_TRIES = 11, /* with a rest of 1 ms, 2 ms, ... before each but the first */
};
static const double begin_s = 50e-6;  /* a mark of that width needs no better one */
static const double step_ms = 0.5e-3; /* of an event's time, as the driver's manual has it */

static double width_s(const struct event_mark *mark)
{
    return mark->after_s - mark->before_s;
}

static cu_result make_mark(const struct event_clock *clock, struct event_mark *mark)
{
    cu_result error = clock->driver->stream_synchronize(clock->stream);
    mark->before_s = clock_now_s();
    error = error ? error : clock->driver->event_record(mark->event, clock->stream);
    error = error ? error : clock->driver->stream_synchronize(clock->stream);
    mark->after_s = clock_now_s();
    return error;
}

/* The narrowest of some. */
cu_result event_clock_begin(struct event_clock *clock)
{
    cu_result error = clock->driver->event_create(&clock->begin.event, 0);
    error = error ? error : clock->driver->event_create(&clock->end.event, 0);
    error = error ? error : make_mark(clock, &clock->begin);
    for (int try = 1; try < BEGIN_TRIES && error == CU_SUCCESS && width_s(&clock->begin) > begin_s;
         try++) {
        error = make_mark(clock, &clock->end);
        if (width_s(&clock->end) < width_s(&clock->begin)) {
            const struct event_mark narrower = clock->end;
            clock->end = clock->begin;
            clock->begin = narrower;
        }
    }
    return error;
}

cu_result event_clock_series(struct event_clock *clock, const cu_event *events, int count,
                             float *ret_ms)
{
    const struct cuda_driver *driver = clock->driver;
    const cu_event begin = clock->begin.event;
    double parts_ms = 0;
    cu_result error = CU_SUCCESS;
    for (int index = 0; error == CU_SUCCESS && index < count - 1; index++) {
        error = driver->event_elapsed_ms(&ret_ms[index], events[index], events[index + 1]);
        parts_ms += (double)ret_ms[index];
    }
    if (begin == NULL || count < 2)
        return error;
    float first_ms = 0, last_ms = 0;
    error = error ? error : driver->event_elapsed_ms(&first_ms, begin, events[0]);
    error = error ? error : driver->event_elapsed_ms(&last_ms, begin, events[count - 1]);
    const double whole_ms = (double)last_ms - (double)first_ms;
    const double most_ms = EVENT_CLOCK_TOLERANCE * whole_ms + step_ms * (count - 1);
    if (!(fabs(parts_ms - whole_ms) <= most_ms) && !clock->is_torn) {
        clock->is_torn = true;
        clock->parts_ms = parts_ms;
        clock->whole_ms = whole_ms;
    }
    return error;
}

/* Compares the time between the marks with the host's. True if that is decided. */
static bool compare_marks(struct event_clock *clock, double events_s, struct finding *ret)
{
    const double least_s = clock->end.before_s - clock->begin.after_s;
    const double most_s = clock->end.after_s - clock->begin.before_s;
    const double ratio = events_s / ((least_s + most_s) / 2);
    clock->ratio = isfinite(ratio) && ratio > 0 ? ratio : 0;
    if (!(events_s >= (1 - EVENT_CLOCK_TOLERANCE) * least_s &&
          events_s <= (1 + EVENT_CLOCK_TOLERANCE) * most_s)) {
        finding_set(
            ret, VERDICT_INCONCLUSIVE, "bandwidth.samples.clock",
            "its events report %.3f ms, the host's clock %.3f to %.3f ms: its speed is unknown",
            1e3 * events_s, 1e3 * least_s, 1e3 * most_s);
        return true;
    }
    if (most_s - least_s <= EVENT_CLOCK_TOLERANCE * least_s)
        return true;
    finding_set(
        ret, VERDICT_INCONCLUSIVE, "bandwidth.samples.clock",
        "its events report %.3f ms, the host's clock %.3f to %.3f ms: too wide to judge the "
        "events",
        1e3 * events_s, 1e3 * least_s, 1e3 * most_s);
    return false;
}

cu_result event_clock_end(struct event_clock *clock, struct finding *ret)
{
    struct finding finding = {.verdict = VERDICT_PASS};
    cu_result error = CU_SUCCESS;
    bool is_decided = clock->begin.event == NULL;
    for (int try = 0; try < END_TRIES && error == CU_SUCCESS && !is_decided; try++) {
        float events_ms = 0;
        if (try > 0)
            nanosleep(&(struct timespec){.tv_nsec = 1000000L << (try - 1)}, NULL);
        error = make_mark(clock, &clock->end);
        if (error == CU_SUCCESS)
            error =
                clock->driver->event_elapsed_ms(&events_ms, clock->begin.event, clock->end.event);
        finding.verdict = VERDICT_PASS;
        if (error == CU_SUCCESS)
            is_decided = compare_marks(clock, 1e-3 * (double)events_ms, &finding);
    }
    if (error == CU_SUCCESS && finding.verdict == VERDICT_PASS && clock->is_torn)
        finding_set(&finding, VERDICT_INCONCLUSIVE, "bandwidth.samples.clock",
                    "its events report %.3f ms in sum, and %.3f ms from the first to the last: its "
                    "speed is unknown",
                    clock->parts_ms, clock->whole_ms);
    if (error == CU_SUCCESS && finding.verdict != VERDICT_PASS)
        *ret = finding;
    return error;
}

void event_clock_release(struct event_clock *clock)
{
    const cu_event events[] = {clock->begin.event, clock->end.event};
    for (int index = 0; index < 2; index++)
        if (events[index] != NULL)
            clock->driver->event_destroy(events[index]);
    clock->begin.event = clock->end.event = NULL;
}
