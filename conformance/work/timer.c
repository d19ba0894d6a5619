/* Samples between device events on a held stream (timer.h), and calls by the
 * host's clock. Clauses: bandwidth.samples.held, bandwidth.samples.clock,
 * bandwidth.samples.throttled, bandwidth.samples.count, bandwidth.latency.ceiling. */
#include "conformance/work/timer.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "conformance/base/process.h"
#include "conformance/work/event_clock.h"

/* One sample of a timer. Clauses: bandwidth.samples.difference,
 * bandwidth.bits.digest. */

enum {
    BATCH_MAX = 128,
    DIFFERENCE_BATCH_MAX = 48,   /* a channel has room for what is around them */
    DIFFERENCE_LAUNCHES_MIN = 4, /* fewer take 0.1 ms each, or more: nothing compared with 2 us */
    /* Pieces of a timing by difference: the more, the less the place of their buffers matters. */
    PIECES_MAX = 8,
    PIECE_LAUNCHES_MIN = 6,
    SETTLE_ROUNDS = 4 /* until the caches are as the rounds before leave them */
};

static struct sample_shape sample_shape(const struct bench_timer *timer, int batch)
{
    const int apart = timer->around ? timer->around->apart(timer->context) : batch;
    struct sample_shape shape = {.batch = batch};
    shape.by_difference = apart == 1 && batch >= DIFFERENCE_LAUNCHES_MIN;
    shape.launches = apart < batch ? apart : batch;
    if (shape.by_difference) {
        int pieces = batch / PIECE_LAUNCHES_MIN;
        pieces = pieces < 1 ? 1 : pieces > PIECES_MAX ? PIECES_MAX : pieces;
        shape.launches = (batch + pieces - 1) / pieces;
    }
    const int pieces = (batch + shape.launches - 1) / shape.launches;
    const int around = timer->around ? timer->around->calls(timer->context, shape.launches) : 0;
    const int looked_at = shape.by_difference ? 2 * batch + pieces * (SETTLE_ROUNDS + 2) : pieces;
    shape.events_each = shape.by_difference ? 3 : 2;
    shape.events = shape.events_each * pieces;
    shape.calls = shape.events + batch + looked_at * around;
    return shape;
}

/* Enqueues a launch, if there is one, and the steps around it. */
static cu_result enqueue_row(const struct bench_timer *timer, bool is_launched, uint64_t turn,
                             uint64_t end)
{
    const struct bench_around *around = timer->around;
    cu_result error = CU_SUCCESS;
    for (; error == CU_SUCCESS && turn < end; turn++) {
        error = around->settle(timer->context, turn);
        error = error ? error : around->poison(timer->context, turn);
        if (error == CU_SUCCESS && is_launched)
            error = timer->enqueue(timer->context, turn);
        error = error ? error : around->peek(timer->context, turn, is_launched);
    }
    return error;
}

/* Puts a sample on the stream; `events` are the shape's. By difference, the look at the last
 * sample's whole buffer has read what no launch does: rounds come first that are not timed. The row
 * with launches is the last, so that what they wrote remains. */
static cu_result sample_enqueue(const struct bench_timer *timer, const struct sample_shape *shape,
                                const cu_event *events, uint64_t *turn)
{
    const struct cuda_driver *driver = &timer->device->driver;
    const struct bench_around *around = timer->around;
    const uint64_t end = *turn + (uint64_t)shape->batch, most = (uint64_t)shape->launches;
    const bool by_difference = around && shape->by_difference;
    cu_result error = CU_SUCCESS;
    while (error == CU_SUCCESS && *turn < end) {
        const uint64_t piece_end = end - *turn < most ? end : *turn + most;
        if (around)
            around->move(timer->context);
        if (by_difference)
            error = enqueue_row(timer, true, *turn, *turn + SETTLE_ROUNDS);
        else if (around)
            error = around->settle(timer->context, *turn);
        error = error ? error : driver->event_record(events[0], timer->stream);
        for (int row = 0; by_difference && error == CU_SUCCESS && row < 2; row++) {
            error = enqueue_row(timer, row == 1, *turn, piece_end);
            error = error ? error : driver->event_record(events[row + 1], timer->stream);
        }
        for (uint64_t next = *turn; !by_difference && error == CU_SUCCESS && next < piece_end;
             next++)
            error = timer->enqueue(timer->context, next);
        if (error == CU_SUCCESS && !by_difference)
            error = driver->event_record(events[1], timer->stream);
        if (error == CU_SUCCESS && around)
            error = around->look(timer->context, *turn, piece_end);
        *turn = piece_end;
        events += shape->events_each;
    }
    return error;
}

/* The time between two jobs, and to make another case: no clock falls sooner. */
static const double idle_s_most = 0.2;
static const double warm_up_s = 0.05, still_warm_s = 0.01;

enum {
    WARM_UP_LAUNCHES_MAX = 8192,
    /* Launches and events of one group. A channel holds about a thousand; the next call would wait
     * for the stream that waits for us. */
    GROUP_CALLS_MAX = 256,
    EVENTS_MAX = GROUP_CALLS_MAX,
    AGAIN_MAX = 2, /* samples taken in place of slowed ones, for each that is asked for */
    REST_MS = 50   /* before them: several times as long as a group runs */
};

/* Holds the stream: a host function that returns when all is enqueued, or too late. */
struct hold {
    int ms;
    atomic_bool released;
    atomic_bool expired;
};

static void hold_stream(void *context)
{
    struct hold *hold = context;
    double until_s = clock_now_s() + hold->ms * 1e-3;
    while (!atomic_load(&hold->released)) {
        if (clock_now_s() > until_s) {
            atomic_store(&hold->expired, true);
            return;
        }
        sched_yield();
    }
}

bool bench_look(const struct nvml *nvml, struct bench_times *ret)
{
    uint64_t reasons = ret->during.reasons;
    const double began_s = clock_now_s();
    struct nvml_reading reading = nvml_read(nvml);
    ret->phase_s[BENCH_PHASE_SENSORS] += clock_now_s() - began_s;
    /* The figures under most power are those of the work itself. */
    if (reading.power_mw >= ret->during.power_mw)
        ret->during = reading;
    ret->during.reasons = reasons | reading.reasons;
    return nvml_slows(reading.reasons);
}

/* Looks who else is on the GPU, and keeps the most in ret->company. */
static void bench_look_around(const struct nvml *nvml, struct bench_times *ret)
{
    const double began_s = clock_now_s();
    struct nvml_company company = nvml_look_around(nvml);
    ret->phase_s[BENCH_PHASE_SENSORS] += clock_now_s() - began_s;
    if (company.others > ret->company.others)
        ret->company = company;
}

double bench_warm_up_s(double idle_s)
{
    return idle_s < idle_s_most ? still_warm_s : warm_up_s;
}

/* One launch after another until then, so that clocks and caches are as in steady work. Returns the
 * time of one launch, in microseconds, through *ret_us. */
static cu_result warm_up(const struct bench_timer *timer, const cu_event events[2], double until_s,
                         uint64_t *turn, double *ret_us)
{
    const struct cuda_driver *driver = &timer->device->driver;
    bool is_emulated = device_kind(&timer->device->info)->is_emulated;
    double now_s = clock_now_s();
    float elapsed_ms = 0;
    for (int launches = 1; now_s < until_s;) {
        const double before_s = now_s;
        cu_result error = driver->event_record(events[0], timer->stream);
        for (int index = 0; error == CU_SUCCESS && index < launches; index++)
            error = timer->enqueue(timer->context, (*turn)++);
        error = error ? error : driver->event_record(events[1], timer->stream);
        error = error ? error : driver->stream_synchronize(timer->stream);
        error = error ? error : driver->event_elapsed_ms(&elapsed_ms, events[0], events[1]);
        if (error != CU_SUCCESS)
            return error;
        *ret_us = 1e3 * (double)elapsed_ms / launches;
        now_s = clock_now_s();
        if (is_emulated || launches >= WARM_UP_LAUNCHES_MAX)
            break;
        /* Twice as many follow, but no more than the rest of the warm-up has room for. */
        const double fitting = (until_s - now_s) / (now_s - before_s) * launches + 1;
        launches = now_s > before_s && fitting < 2.0 * launches ? (int)fitting : 2 * launches;
    }
    return CU_SUCCESS;
}

/* Samples during which the GPU was slowed, the first of them. */
struct slowed_samples {
    double unit_us[BENCH_SAMPLES_MAX];
    int count;
};

/* The samples of one group, where they count; *slowed: where the GPU was slowed, or NULL. */
static cu_result take_group(const struct bench_timer *timer, struct event_clock *clock,
                            const cu_event *events, int count, struct slowed_samples *slowed,
                            bool late, struct bench_times *ret)
{
    const struct sample_shape shape = sample_shape(timer, ret->batch);
    float all_ms[EVENTS_MAX];
    const float *between_ms = all_ms; /* a piece's first event and its second, and so on */
    const cu_result error = event_clock_series(clock, events, count * shape.events, all_ms);
    if (error != CU_SUCCESS)
        return error;
    for (int index = 0; index < count; index++) {
        double elapsed_ms = 0; /* of a sample's launches together */
        for (int piece = 0; piece < shape.events;
             piece += shape.events_each, between_ms += shape.events_each)
            elapsed_ms += shape.by_difference ? (double)between_ms[1] - (double)between_ms[0]
                                              : (double)between_ms[0];
        const double unit_us = 1e3 * elapsed_ms / ret->batch;
        if (late) {
            ret->late++;
        } else if (shape.by_difference && unit_us <= 0) {
            continue; /* something else disturbed the row without launches */
        } else if (slowed) {
            ret->throttled++;
            if (slowed->count < BENCH_SAMPLES_MAX)
                slowed->unit_us[slowed->count++] = unit_us;
        } else {
            ret->unit_us[ret->sample_count++] = unit_us;
        }
    }
    return CU_SUCCESS;
}

static cu_result take_samples(const struct bench_timer *timer, struct event_clock *clock,
                              const cu_event *events, int samples, uint64_t *turn,
                              struct bench_times *ret)
{
    const struct cuda_driver *driver = &timer->device->driver;
    const struct sample_shape shape = sample_shape(timer, ret->batch);
    const int most = GROUP_CALLS_MAX < shape.calls ? 1 : GROUP_CALLS_MAX / shape.calls;
    int again = AGAIN_MAX * samples;
    struct slowed_samples slowed_samples = {.count = 0};
    bool slowed = bench_look(timer->nvml, ret);
    for (int left = samples; left > 0;) {
        const int count = left < most ? left : most;
        struct hold hold = {timer->hold_ms, false, false};
        /* The emulation has run a call when it returns, so there is nothing to hold. */
        if (device_kind(&timer->device->info)->is_emulated || timer->hold_ms == 0)
            atomic_store(&hold.released, true);
        cu_result error = timer->around ? timer->around->begin(timer->context) : CU_SUCCESS;
        error = error ? error : driver->launch_host_function(timer->stream, hold_stream, &hold);
        for (int index = 0; error == CU_SUCCESS && index < count; index++)
            error = sample_enqueue(timer, &shape, events + index * shape.events, turn);
        atomic_store(&hold.released, true);
        slowed = bench_look(timer->nvml, ret) || slowed; /* while the group runs */
        cu_result waited = driver->stream_synchronize(timer->stream);
        error = error ? error : waited;
        if (error == CU_SUCCESS && timer->around)
            error = timer->around->end(timer->context);
        bool slowed_after = bench_look(timer->nvml, ret);
        slowed = slowed || slowed_after;
        if (error == CU_SUCCESS)
            error = take_group(timer, clock, events, count, slowed ? &slowed_samples : NULL,
                               atomic_load(&hold.expired), ret);
        if (error != CU_SUCCESS)
            return error;
        left -= count;
        if (slowed && again >= count) {
            again -= count;
            left += count;
            /* A GPU that draws less for a while is slowed no longer. */
            nanosleep(&(struct timespec){.tv_nsec = REST_MS * 1000000L}, NULL);
            slowed_after = bench_look(timer->nvml, ret);
        }
        slowed = slowed_after;
    }
    /* If too few samples count, slowed ones do, too, up to the number asked for. */
    if (ret->sample_count >= BENCH_SAMPLES_LEAST)
        return CU_SUCCESS;
    while (ret->slowed < slowed_samples.count && ret->sample_count < samples)
        ret->unit_us[ret->sample_count++] = slowed_samples.unit_us[ret->slowed++];
    ret->throttled -= ret->slowed;
    return CU_SUCCESS;
}

cu_result bench_time(const struct bench_timer *timer, int samples, struct bench_times *ret)
{
    const struct cuda_driver *driver = &timer->device->driver;
    cu_event events[EVENTS_MAX];
    int made = 0;
    cu_result error = CU_SUCCESS;
    while (error == CU_SUCCESS && made < EVENTS_MAX) {
        error = driver->event_create(&events[made], 0);
        made += error == CU_SUCCESS;
    }
    uint64_t turn = 0;
    struct event_clock clock = {.driver = driver, .stream = timer->stream};
    ret->before = nvml_read(timer->nvml);
    bench_look_around(timer->nvml, ret);
    if (error == CU_SUCCESS && device_kind(&timer->device->info)->is_timed)
        error = event_clock_begin(&clock);
    double began_s = clock_now_s();
    double unit_us = 0;
    error = error ? error : warm_up(timer, events, began_s + timer->warm_up_s, &turn, &unit_us);
    /* As many launches as make a sample long enough. */
    const double launches = unit_us > 0 ? BENCH_SAMPLE_US / unit_us + 1 : BATCH_MAX;
    ret->batch = launches > BATCH_MAX ? BATCH_MAX : (int)launches;
    if (ret->batch > DIFFERENCE_BATCH_MAX && sample_shape(timer, ret->batch).by_difference)
        ret->batch = DIFFERENCE_BATCH_MAX;
    if (device_kind(&timer->device->info)->is_emulated)
        ret->batch = 1;
    ret->phase_s[BENCH_PHASE_WARM_UP] = clock_now_s() - began_s;
    error = error ? error : take_samples(timer, &clock, events, samples, &turn, ret);
    error = error ? error : event_clock_end(&clock, &ret->finding);
    if (ret->finding.verdict != VERDICT_PASS)
        ret->sample_count = ret->slowed = 0;
    ret->event_ratio = clock.ratio;
    event_clock_release(&clock);
    ret->after = nvml_read(timer->nvml);
    bench_look_around(timer->nvml, ret);
    while (made > 0)
        driver->event_destroy(events[--made]);
    return error;
}

enum { WARM_UP_CALLS = 20, CALLS = 8 };

cu_result bench_latency_time(const struct callable *callable, struct callable_operands *operands,
                             const struct nvml *nvml, int samples, struct bench_times *ret)
{
    ret->batch = CALLS;
    ret->buffers = 1;
    ret->before = nvml_read(nvml);
    bench_look_around(nvml, ret);
    for (int index = -WARM_UP_CALLS; index < samples; index++) {
        double spent_s = 0;
        for (int turn = 0; turn < CALLS; turn++) {
            double begin_s = clock_now_s();
            cu_result error = callable_enqueue(callable, operands, NULL);
            spent_s += clock_now_s() - begin_s;
            error = error ? error : callable->device->driver.stream_synchronize(callable->stream);
            if (error != CU_SUCCESS)
                return error;
        }
        if (index >= 0)
            ret->unit_us[ret->sample_count++] = 1e6 * spent_s / CALLS;
    }
    bench_look(nvml, ret);
    bench_look_around(nvml, ret);
    ret->after = nvml_read(nvml);
    return CU_SUCCESS;
}
