/* One sample of a timer (timer_sample.h). Clauses: bandwidth.samples.difference,
 * bandwidth.bits.digest. */
#include "conformance/work/timer_sample.h"

enum {
    BATCH_MAX = 128,
    DIFFERENCE_BATCH_MAX = 48,   /* a channel has room for what is around them */
    DIFFERENCE_LAUNCHES_MIN = 4, /* fewer take 0.1 ms each, or more: nothing beside 2 us */
    /* Of one by difference: the more, the less it matters where their buffers lie. */
    PIECES_MAX = 8,
    PIECE_LAUNCHES_MIN = 6,
    SETTLE_ROUNDS = 4 /* until the caches are as the rounds before leave them */
};

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

struct sample_shape sample_shape(const struct bench_timer *timer, int batch)
{
    const int apart = timer->around ? timer->around->apart(timer->context) : batch;
    struct sample_shape shape = {.batch = batch};
    shape.by_difference = apart == 1 && batch >= DIFFERENCE_LAUNCHES_MIN;
    shape.launches = apart < batch ? apart : batch;
    if (shape.by_difference) {
        const int pieces = clamp(batch / PIECE_LAUNCHES_MIN, 1, PIECES_MAX);
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

/* So many that they take so long, and no more than that; one at least. */
static int launches_of(double us, double unit_us, int most)
{
    const double launches = unit_us > 0 ? us / unit_us : most;
    return launches >= most ? most : launches < 1 ? 1 : (int)launches + 1;
}

int sample_batch(const struct bench_timer *timer, double unit_us)
{
    const int batch = launches_of(BENCH_SAMPLE_US, unit_us, BATCH_MAX);
    const bool is_less = sample_shape(timer, batch).by_difference && batch > DIFFERENCE_BATCH_MAX;
    return is_less ? DIFFERENCE_BATCH_MAX : batch;
}

/* A piece between a pair of events. */
static cu_result enqueue_piece(const struct bench_timer *timer, const cu_event events[2],
                               uint64_t turn, uint64_t end)
{
    const struct cuda_driver *driver = &timer->device->driver;
    const struct bench_around *around = timer->around;
    cu_result error = around ? around->settle(timer->context, turn) : CU_SUCCESS;
    if (error == CU_SUCCESS)
        error = driver->event_record(events[0], timer->stream);
    for (uint64_t next = turn; error == CU_SUCCESS && next < end; next++)
        error = timer->enqueue(timer->context, next);
    if (error == CU_SUCCESS)
        error = driver->event_record(events[1], timer->stream);
    return error == CU_SUCCESS && around ? around->look(timer->context, turn, end) : error;
}

/* What is around each launch, and the launch where it has one. */
static cu_result enqueue_row(const struct bench_timer *timer, bool is_launched, uint64_t turn,
                             uint64_t end)
{
    const struct bench_around *around = timer->around;
    cu_result error = CU_SUCCESS;
    for (; error == CU_SUCCESS && turn < end; turn++) {
        error = around->settle(timer->context, turn);
        if (error == CU_SUCCESS)
            error = around->poison(timer->context, turn);
        if (error == CU_SUCCESS && is_launched)
            error = timer->enqueue(timer->context, turn);
        if (error == CU_SUCCESS)
            error = around->peek(timer->context, turn, is_launched);
    }
    return error;
}

/* The look at the last sample's whole buffer has read what no launch does: rounds come first that
 * are not timed. The row with launches is the last, so that what they wrote remains. */
static cu_result enqueue_difference(const struct bench_timer *timer, const cu_event events[3],
                                    uint64_t turn, uint64_t end)
{
    const struct cuda_driver *driver = &timer->device->driver;
    cu_result error = enqueue_row(timer, true, turn, turn + SETTLE_ROUNDS);
    if (error == CU_SUCCESS)
        error = driver->event_record(events[0], timer->stream);
    for (int row = 0; error == CU_SUCCESS && row < 2; row++) {
        error = enqueue_row(timer, row == 1, turn, end);
        if (error == CU_SUCCESS)
            error = driver->event_record(events[row + 1], timer->stream);
    }
    return error == CU_SUCCESS ? timer->around->look(timer->context, turn, end) : error;
}

cu_result sample_enqueue(const struct bench_timer *timer, const struct sample_shape *shape,
                         const cu_event *events, uint64_t *turn)
{
    const uint64_t end = *turn + (uint64_t)shape->batch, most = (uint64_t)shape->launches;
    cu_result error = CU_SUCCESS;
    while (error == CU_SUCCESS && *turn < end) {
        const uint64_t next = end - *turn < most ? end : *turn + most;
        if (timer->around)
            timer->around->move(timer->context);
        error = timer->around && shape->by_difference
                    ? enqueue_difference(timer, events, *turn, next)
                    : enqueue_piece(timer, events, *turn, next);
        *turn = next;
        events += shape->events_each;
    }
    return error;
}

static cu_result elapsed(const struct cuda_driver *driver, const cu_event events[2], double *ret_ms)
{
    float ms = 0;
    const cu_result error = driver->event_elapsed_ms(&ms, events[0], events[1]);
    *ret_ms = (double)ms;
    return error;
}

cu_result sample_elapsed(const struct cuda_driver *driver, const struct sample_shape *shape,
                         const cu_event *events, double *ret_ms)
{
    cu_result error = CU_SUCCESS;
    *ret_ms = 0;
    for (int begin = 0; error == CU_SUCCESS && begin < shape->events; begin += shape->events_each) {
        double without_ms = 0, with_ms = 0;
        if (shape->by_difference)
            error = elapsed(driver, &events[begin], &without_ms);
        if (error == CU_SUCCESS)
            error = elapsed(driver, &events[begin + shape->events_each - 2], &with_ms);
        *ret_ms += with_ms - without_ms;
    }
    return error;
}
