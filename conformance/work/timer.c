/* Samples between device events on a held stream (time.h). Clauses: bandwidth.samples.held,
 * bandwidth.samples.throttled, bandwidth.samples.count. */
#include "conformance/work/timer.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "conformance/base/clock.h"

/* An event's time has steps of half a microsecond: a sample is long enough for 0.2 %. */
static const double sample_us_least = 300;
/* What lies between two jobs, and what it takes to make another case: no clock falls so soon. */
static const double idle_s_most = 0.2;
static const double warm_up_s = 0.05, still_warm_s = 0.01;

enum {
    BATCH_MAX = 128,
    APART_LAUNCHES_MAX = 3, /* of a sample whose launches are timed apart: 0.1 ms each, or more */
    /* Launches and events of one group. A channel holds about a thousand; the next call would wait
     * for the stream that waits for us. */
    GROUP_CALLS_MAX = 256,
    EVENTS_MAX = GROUP_CALLS_MAX,
    AGAIN_MAX = 2, /* samples taken in place of slowed ones, for each that is asked for */
    REST_MS = 50   /* before them: several times as long as a group runs */
};

/* What holds the stream: a host function that returns when all is enqueued, or too late. */
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
    /* Of the figures, those under most power are the ones of work. */
    if (reading.power_mw >= ret->during.power_mw)
        ret->during = reading;
    ret->during.reasons = reasons | reading.reasons;
    return nvml_slows(reading.reasons);
}

void bench_look_around(const struct nvml *nvml, struct bench_times *ret)
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

/* How many launches follow so many that took so long: twice as many, but no more than the rest of
 * the warm-up has room for. */
static int next_launches(int launches, double took_s, double left_s)
{
    const double fitting = took_s > 0 ? left_s / took_s * launches + 1 : 2.0 * launches;
    return fitting < 2.0 * launches ? (int)fitting : 2 * launches;
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
        if (error == CU_SUCCESS)
            error = driver->event_record(events[1], timer->stream);
        if (error == CU_SUCCESS)
            error = driver->stream_synchronize(timer->stream);
        if (error == CU_SUCCESS)
            error = driver->event_elapsed_ms(&elapsed_ms, events[0], events[1]);
        if (error != CU_SUCCESS)
            return error;
        *ret_us = 1e3 * (double)elapsed_ms / launches;
        now_s = clock_now_s();
        if (is_emulated || launches >= BATCH_MAX * 64)
            break;
        launches = next_launches(launches, now_s - before_s, until_s - now_s);
    }
    return CU_SUCCESS;
}

/* How a sample's launches are divided. */
struct pieces {
    int launches; /* of each but the last */
    int count;
};

/* Short launches stay together: a pair of events adds 2 us, and in the L2 cache a launch takes 6.
 */
static struct pieces pieces_of(const struct bench_timer *timer, int batch)
{
    bool is_apart = timer->around && batch <= APART_LAUNCHES_MAX;
    int apart = is_apart ? timer->around->apart(timer->context) : batch;
    int launches = apart < batch ? apart : batch;
    return (struct pieces){launches, (batch + launches - 1) / launches};
}

/* Launches between two events: what is around them stays outside of their time. Without events they
 * are not timed. */
static cu_result enqueue_piece(const struct bench_timer *timer, const cu_event events[2],
                               int launches, uint64_t *turn)
{
    const struct cuda_driver *driver = &timer->device->driver;
    uint64_t first = *turn;
    cu_result error = timer->around ? timer->around->settle(timer->context, first) : CU_SUCCESS;
    if (error == CU_SUCCESS && events)
        error = driver->event_record(events[0], timer->stream);
    for (int launch = 0; error == CU_SUCCESS && launch < launches; launch++)
        error = timer->enqueue(timer->context, (*turn)++);
    if (error == CU_SUCCESS && events)
        error = driver->event_record(events[1], timer->stream);
    if (error == CU_SUCCESS && timer->around)
        error = timer->around->look(timer->context, first, *turn);
    return error;
}

static cu_result enqueue_sample(const struct bench_timer *timer, const cu_event *events, int batch,
                                uint64_t *turn)
{
    struct pieces pieces = pieces_of(timer, batch);
    cu_result error = CU_SUCCESS;
    for (int piece = 0; error == CU_SUCCESS && piece < pieces.count; piece++) {
        int left = batch - piece * pieces.launches;
        error = enqueue_piece(timer, events + 2 * (size_t)piece,
                              left < pieces.launches ? left : pieces.launches, turn);
    }
    return error;
}

/* So many rows of launches that are not timed, of each of which the last is looked at. */
static cu_result rehearse_rows(const struct bench_timer *timer, int rows, int launches,
                               uint64_t *turn)
{
    cu_result error = timer->around->begin(timer->context);
    for (int row = 0; error == CU_SUCCESS && row < rows; row++)
        error = enqueue_piece(timer, NULL, launches, turn);
    return error == CU_SUCCESS ? timer->around->end(timer->context) : error;
}

/* Of a sample's many short launches only the last is looked at. So there are rows before them that
 * end at each place of a sample's row, and then, until the time is over, launches each of which is
 * looked at: as many as the longest sample has, or more. */
static cu_result rehearse(const struct bench_timer *timer, int batch, double until_s,
                          uint64_t *turn)
{
    cu_result error = CU_SUCCESS;
    for (int launches = 1; error == CU_SUCCESS && launches <= batch; launches++)
        error = rehearse_rows(timer, 1, launches, turn);
    do
        error = error == CU_SUCCESS ? rehearse_rows(timer, BATCH_MAX, 1, turn) : error;
    while (error == CU_SUCCESS && clock_now_s() < until_s);
    return error;
}

/* As many launches as make a sample long enough. */
static int batch_of(const struct bench_timer *timer, double unit_us)
{
    const double batch = unit_us > 0 ? sample_us_least / unit_us : BATCH_MAX;
    if (device_kind(&timer->device->info)->is_emulated)
        return 1;
    return batch >= BATCH_MAX ? BATCH_MAX : batch < 1 ? 1 : (int)batch + 1;
}

/* Warms up, and says how many launches a sample has. Half of the time shows how long they take; the
 * other half goes into looks, where samples have launches that are not looked at. */
static cu_result prepare(const struct bench_timer *timer, const cu_event *events, uint64_t *turn,
                         int *ret_batch)
{
    const double began_s = clock_now_s();
    double unit_us = 0;
    cu_result error = warm_up(timer, events, began_s + timer->warm_up_s / 2, turn, &unit_us);
    *ret_batch = batch_of(timer, unit_us);
    if (error != CU_SUCCESS || device_kind(&timer->device->info)->is_emulated)
        return error;
    if (timer->around && *ret_batch > APART_LAUNCHES_MAX)
        return rehearse(timer, *ret_batch, began_s + timer->warm_up_s, turn);
    error = warm_up(timer, events, began_s + timer->warm_up_s, turn, &unit_us);
    *ret_batch = batch_of(timer, unit_us);
    return error;
}

/* Enqueues a group and waits for it; *ret_slowed: the GPU was slowed while it ran. */
static cu_result run_group(const struct bench_timer *timer, const cu_event *events, int count,
                           struct hold *hold, uint64_t *turn, struct bench_times *ret,
                           bool *ret_slowed)
{
    const struct cuda_driver *driver = &timer->device->driver;
    /* The emulation has run a call when it returns, so there is nothing to hold. */
    if (device_kind(&timer->device->info)->is_emulated)
        atomic_store(&hold->released, true);
    cu_result error = timer->around ? timer->around->begin(timer->context) : CU_SUCCESS;
    if (error == CU_SUCCESS)
        error = driver->launch_host_function(timer->stream, hold_stream, hold);
    const int pieces = pieces_of(timer, ret->batch).count;
    for (int index = 0; error == CU_SUCCESS && index < count; index++)
        error = enqueue_sample(timer, events + 2 * (size_t)(index * pieces), ret->batch, turn);
    atomic_store(&hold->released, true);
    *ret_slowed = bench_look(timer->nvml, ret); /* while the group runs */
    cu_result waited = driver->stream_synchronize(timer->stream);
    error = error != CU_SUCCESS ? error : waited;
    return error == CU_SUCCESS && timer->around ? timer->around->end(timer->context) : error;
}

/* The time between pairs of events, together. */
static cu_result elapsed(const struct cuda_driver *driver, const cu_event *events, int pairs,
                         double *ret_ms)
{
    cu_result error = CU_SUCCESS;
    *ret_ms = 0;
    for (int pair = 0; error == CU_SUCCESS && pair < pairs; pair++) {
        float one_ms = 0;
        error = driver->event_elapsed_ms(&one_ms, events[2 * pair], events[2 * pair + 1]);
        *ret_ms += (double)one_ms;
    }
    return error;
}

/* Samples during which the GPU was slowed, the first of them. */
struct slowed_samples {
    double unit_us[BENCH_SAMPLES_MAX];
    int count;
};

/* The samples of one group, where they count; *slowed: where the GPU was slowed, or NULL. */
static cu_result take_group(const struct bench_timer *timer, const cu_event *events, int count,
                            struct slowed_samples *slowed, bool late, struct bench_times *ret)
{
    const int pieces = pieces_of(timer, ret->batch).count;
    for (int index = 0; index < count; index++) {
        double elapsed_ms;
        cu_result error = elapsed(&timer->device->driver, events + 2 * (size_t)(index * pieces),
                                  pieces, &elapsed_ms);
        if (error != CU_SUCCESS)
            return error;
        const double unit_us = 1e3 * elapsed_ms / ret->batch;
        if (late) {
            ret->late++;
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

/* Where too few samples count, slowed ones do, too, as many as were asked for. */
static void keep_slowed(const struct slowed_samples *slowed, int samples, struct bench_times *ret)
{
    if (ret->sample_count >= BENCH_SAMPLES_LEAST)
        return;
    while (ret->slowed < slowed->count && ret->sample_count < samples)
        ret->unit_us[ret->sample_count++] = slowed->unit_us[ret->slowed++];
    ret->throttled -= ret->slowed;
}

/* A GPU that draws less for a while is slowed no longer. */
static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = REST_MS * 1000000L}, NULL);
}

static cu_result take_samples(const struct bench_timer *timer, const cu_event *events, int samples,
                              uint64_t *turn, struct bench_times *ret)
{
    struct pieces pieces = pieces_of(timer, ret->batch);
    int around = timer->around ? timer->around->calls(timer->context, pieces.launches) : 0;
    int most = GROUP_CALLS_MAX / (pieces.count * (pieces.launches + 2 + around));
    most = most < 1 ? 1 : most;
    int again = AGAIN_MAX * samples;
    struct slowed_samples slowed_samples = {.count = 0};
    bool slowed = bench_look(timer->nvml, ret);
    for (int left = samples; left > 0;) {
        const int count = left < most ? left : most;
        struct hold hold = {timer->hold_ms, false, false};
        bool slowed_meanwhile;
        cu_result error = run_group(timer, events, count, &hold, turn, ret, &slowed_meanwhile);
        bool slowed_after = bench_look(timer->nvml, ret);
        slowed = slowed || slowed_meanwhile || slowed_after;
        if (error == CU_SUCCESS)
            error = take_group(timer, events, count, slowed ? &slowed_samples : NULL,
                               atomic_load(&hold.expired), ret);
        if (error != CU_SUCCESS)
            return error;
        left -= count;
        if (slowed && again >= count) {
            again -= count;
            left += count;
            rest();
            slowed_after = bench_look(timer->nvml, ret);
        }
        slowed = slowed_after;
    }
    keep_slowed(&slowed_samples, samples, ret);
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
    ret->before = nvml_read(timer->nvml);
    bench_look_around(timer->nvml, ret);
    double began_s = clock_now_s();
    if (error == CU_SUCCESS)
        error = prepare(timer, events, &turn, &ret->batch);
    ret->phase_s[BENCH_PHASE_WARM_UP] = clock_now_s() - began_s;
    if (error == CU_SUCCESS)
        error = take_samples(timer, events, samples, &turn, ret);
    ret->after = nvml_read(timer->nvml);
    bench_look_around(timer->nvml, ret);
    while (made > 0)
        driver->event_destroy(events[--made]);
    return error;
}
