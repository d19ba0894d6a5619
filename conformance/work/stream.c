/* The streamed check (stream.h). A chunk is as much as is uploaded or downloaded at once; it is
 * made and compared in windows by all cores, while the next one is on its way. What the checks of
 * the case share is made once for them all, where there is memory: what the arena must hold, its
 * image on the device, and the digest. */
#include "conformance/work/stream.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "conformance/base/clock.h"
#include "conformance/work/checker_internal.h"
#include "conformance/work/compare.h"
#include "conformance/work/stream_internal.h"

/* The team of one case keeps all cores busy, and its memory is large: one streams at a time. */
static pthread_mutex_t stream_lock = PTHREAD_MUTEX_INITIALIZER;

/* The work on one chunk: piece 0 is the digest of the chunk before it, which can only be taken in
 * order, and every other piece a window. */
struct sweep {
    struct stream *stream;
    bool compares; /* else it makes the image */
    size_t begin, end;
    unsigned char *chunk;
    struct digest *digest; /* NULL: none is taken */
    size_t digest_begin;
    atomic_bool failed; /* for want of memory */
};

static unsigned char *expected_at(const struct stream *stream, size_t position)
{
    size_t chunk = stream->checker->stream_chunk_bytes;
    return stream->expected + (stream->holds_all ? position : position % (STREAM_CHUNKS * chunk));
}

static void compare_piece(struct sweep *sweep, int thread, int number, size_t begin, size_t end)
{
    struct stream *stream = sweep->stream;
    const unsigned char *expected = expected_at(stream, begin);
    unsigned char *got = sweep->chunk + (begin - sweep->begin);
    if (memcmp(expected, got, end - begin) != 0) {
        unsigned char *image = stream->images + (size_t)thread * stream->window_bytes;
        arena_poison_window(stream->arena, begin, end, expected, image);
        compare_window(&stream->windows[number], stream->arena, begin, end, image, expected, got);
    }
    /* A download that is lost without a word must not find the last one's bytes. */
    memset(got, STREAM_STALE_BYTE, end - begin);
}

static void sweep_piece(void *context, int thread, int piece)
{
    struct sweep *sweep = context;
    struct stream *stream = sweep->stream;
    if (piece == 0) {
        if (sweep->digest && sweep->digest_begin < sweep->begin)
            digest_window(sweep->digest, sweep->digest_begin, sweep->begin,
                          expected_at(stream, sweep->digest_begin));
        return;
    }
    int number = piece - 1;
    size_t begin = sweep->begin + (size_t)number * stream->window_bytes;
    size_t left = sweep->end - begin;
    size_t end = left < stream->window_bytes ? sweep->end : begin + stream->window_bytes;
    unsigned char *expected = expected_at(stream, begin);
    if (!stream->expected_made && !stream_expect(&stream->source, 0, begin, end, expected))
        sweep->failed = true;
    else if (sweep->compares)
        compare_piece(sweep, thread, number, begin, end);
    else
        arena_poison_window(stream->arena, begin, end, expected,
                            sweep->chunk + (begin - sweep->begin));
}

/* True when the whole chunk was gone through. */
static bool sweep_chunk(struct sweep *sweep)
{
    size_t window = sweep->stream->window_bytes;
    size_t windows = (sweep->end - sweep->begin + window - 1) / window;
    team_run(sweep->stream->team, sweep_piece, sweep, 1 + (int)windows);
    return !sweep->failed;
}

/* The sweep over the chunk that begins there. */
static struct sweep chunk_sweep(struct stream *stream, bool compares, size_t begin)
{
    size_t left = stream->arena->bytes - begin, chunk = stream->checker->stream_chunk_bytes;
    return (struct sweep){.stream = stream,
                          .compares = compares,
                          .begin = begin,
                          .end = begin + (left < chunk ? left : chunk),
                          .chunk = stream->chunks[begin / chunk % STREAM_CHUNKS]};
}

static void out_of_host_memory(struct check_result *result)
{
    checker_note(result, VERDICT_SKIP, "", "the host has no memory left to stream the case");
}

static cu_result wait_for_device(struct stream *stream, double *since)
{
    struct checker *checker = stream->checker;
    cu_result error = checker->device->driver.stream_synchronize(checker->stream);
    checker_account(checker, STAGE_DRIVE, since);
    return error;
}

/* Poison, pattern and inputs to the device; each chunk is uploaded while the next one is made, and
 * digested after it. False when the result says why not. */
static bool upload(struct stream *stream, cu_address target, struct digest *digest,
                   struct check_result *result)
{
    struct checker *checker = stream->checker;
    const struct cuda_driver *driver = &checker->device->driver;
    double since = clock_now_s();
    cu_result error =
        driver->memset_d8_async(target, STREAM_STALE_BYTE, stream->arena->bytes, checker->stream);
    struct sweep sweep = {.end = 0};
    for (size_t begin = 0; error == CU_SUCCESS && begin < stream->arena->bytes; begin = sweep.end) {
        size_t before = sweep.begin;
        sweep = chunk_sweep(stream, false, begin);
        sweep.digest = digest;
        sweep.digest_begin = before;
        if (!sweep_chunk(&sweep)) {
            out_of_host_memory(result);
            wait_for_device(stream, &since); /* an upload may be reading a chunk */
            return false;
        }
        checker_account(checker, STAGE_PREPARE, &since);
        error = wait_for_device(stream, &since);
        if (error == CU_SUCCESS)
            error = driver->memcpy_htod_async(target + begin, sweep.chunk, sweep.end - begin,
                                              checker->stream);
    }
    if (digest)
        digest_window(digest, sweep.begin, sweep.end, expected_at(stream, sweep.begin));
    checker_account(checker, STAGE_PREPARE, &since);
    if (error == CU_SUCCESS)
        error = wait_for_device(stream, &since);
    if (error != CU_SUCCESS) {
        checker_driver_error(result, checker, error, "uploading the case");
        return false;
    }
    stream->expected_made = stream->holds_all;
    for (int index = 0; index < STREAM_CHUNKS; index++)
        memset(stream->chunks[index], STREAM_STALE_BYTE, checker->stream_chunk_bytes);
    return true;
}

/* The first upload of a case also takes the digest of what must come back: a check that passes has
 * the same, since what it has in other bits are NaNs, and they count as one. */
static bool upload_digesting(struct stream *stream, cu_address target, struct check_result *result)
{
    if (stream->digested)
        return upload(stream, target, NULL, result);
    struct digest *digest = digest_open(stream->arena);
    if (digest == NULL) {
        out_of_host_memory(result);
        return false;
    }
    stream->digested = upload(stream, target, digest, result);
    digest_close(digest, stream->digest);
    return stream->digested;
}

/* Makes the arena on the device ready for a launch, and what lies around it. */
static bool prepare(struct stream *stream, struct check_result *result)
{
    struct checker *checker = stream->checker;
    const struct cuda_driver *driver = &checker->device->driver;
    cu_result filled = stream->around_made ? CU_SUCCESS
                                           : harness_fill_around(&checker->harness, &stream->around,
                                                                 checker->stream);
    stream->around_made = filled == CU_SUCCESS;
    if (!stream->around_made) {
        checker_driver_error(result, checker, filled, "filling the memory around the case");
        return false;
    }
    if (stream->pristine == 0)
        return upload_digesting(stream, stream->address, result);
    if (!stream->pristine_made)
        stream->pristine_made = upload_digesting(stream, stream->pristine, result) &&
                                stream_digest_pristine(stream, &stream->pristine_right, result);
    if (!stream->pristine_made)
        return false;
    /* Were the copy lost without a word, the last kernel's right result would still lie there. */
    size_t bytes = stream->arena->bytes;
    cu_result error =
        driver->memset_d8_async(stream->address, STREAM_STALE_BYTE, bytes, checker->stream);
    if (error == CU_SUCCESS)
        error =
            driver->memcpy_dtod_async(stream->address, stream->pristine, bytes, checker->stream);
    if (error != CU_SUCCESS)
        checker_driver_error(result, checker, error, "copying the case on the device");
    return error == CU_SUCCESS;
}

static cu_result begin_download(struct stream *stream, const struct sweep *sweep)
{
    struct checker *checker = stream->checker;
    return checker->device->driver.memcpy_dtoh_async(sweep->chunk, stream->address + sweep->begin,
                                                     sweep->end - sweep->begin, checker->stream);
}

/* Brings back and compares it all; each chunk is compared while the next one is downloaded. */
static void compare(struct stream *stream, struct check_result *result)
{
    struct checker *checker = stream->checker;
    double since = clock_now_s();
    memset(&stream->comparison, 0, sizeof stream->comparison);
    struct sweep sweep = chunk_sweep(stream, true, 0);
    cu_result error = begin_download(stream, &sweep);
    for (bool more = true; more;) {
        if (error == CU_SUCCESS)
            error = wait_for_device(stream, &since);
        struct sweep next = chunk_sweep(stream, true, sweep.end);
        more = next.begin < next.end;
        if (error == CU_SUCCESS && more)
            error = begin_download(stream, &next);
        if (error != CU_SUCCESS) {
            checker_driver_error(result, checker, error, "downloading the result");
            return;
        }
        memset(stream->windows, 0, STREAM_CHUNK_WINDOWS * sizeof *stream->windows);
        if (!sweep_chunk(&sweep)) {
            out_of_host_memory(result);
            wait_for_device(stream, &since); /* a download may be writing a chunk */
            return;
        }
        for (int number = 0; number < STREAM_CHUNK_WINDOWS; number++)
            compare_join(&stream->comparison, &stream->windows[number]);
        checker_account(checker, STAGE_COMPARE, &since);
        sweep = next;
    }
    result->verdict = compare_end(&stream->comparison, stream->arena, &result->finding);
}

/* The place in the pristine arena that a launch changed, as it lies from the arena, where what the
 * other must hold is uploaded again. */
static void find_in_pristine(struct stream *stream, struct check_result *result)
{
    struct harness_range range = stream_pristine_range(stream);
    struct harness_change change;
    enum harness_state state;
    if (!upload(stream, stream->address, NULL, result))
        return;
    range.right = stream->address;
    if (!stream_look(stream, &range, &state, &change, result))
        return;
    if (state == HARNESS_INTACT) {
        checker_note(result, VERDICT_INCONCLUSIVE, "",
                     "the digest of the case's copy on the device changed, but no byte of it did");
        return;
    }
    change.from_begin += (int64_t)(stream->pristine - stream->address);
    change.from_end = change.from_begin - (int64_t)stream->arena->bytes;
    checker_judge_around(stream->arena, state, &change, result);
}

/* The next check begins with the pristine arena, and would fail in this one's place. */
static void look_at_pristine(struct stream *stream, struct check_result *result)
{
    const struct harness_range range = stream_pristine_range(stream);
    const struct harness_report *right = &stream->pristine_right;
    struct harness_report now;
    if (!stream_digest_pristine(stream, &now, result))
        return;
    if (now.words != harness_words(&range) || right->words != now.words)
        checker_judge_around(stream->arena, HARNESS_NOT_LOOKED_AT, NULL, result);
    else if (now.sum != right->sum)
        find_in_pristine(stream, result);
}

/* Looks where no operand of this check lies. */
static void look_outside(struct stream *stream, struct check_result *result)
{
    struct harness_change change;
    enum harness_state state;
    stream->around_made = false;
    if (!stream_look(stream, &stream->around, &state, &change, result))
        return;
    stream->around_made = state == HARNESS_INTACT;
    checker_judge_around(stream->arena, state, &change, result);
    if (result->verdict == VERDICT_PASS && stream->pristine)
        look_at_pristine(stream, result);
}

/* One check; false when the context is lost. */
static bool stream_check(struct stream *stream, const struct subject *subject,
                         struct check_result *result)
{
    struct checker *checker = stream->checker;
    struct checker_launch launch;
    *result = (struct check_result){.subject = *subject, .verdict = VERDICT_INCONCLUSIVE};
    if (!checker_plan(checker, stream->arena, subject, stream->address, result, &launch) ||
        !prepare(stream, result))
        return true;
    double since = clock_now_s();
    if (launch.function && !checker_launch(checker, stream->arena, &launch, result))
        return result->verdict ==
                   VERDICT_SKIP ||              /* memory that a launch wants is not the kernel's */
               result->verdict == VERDICT_FAIL; /* its window is wrong */
    cu_result error = wait_for_device(stream, &since);
    if (error != CU_SUCCESS) {
        checker_lost(result, checker, error, launch.function != NULL);
        return false;
    }
    checker->touched =
        (struct checker_touched){stream->address, stream->address + stream->arena->bytes};
    compare(stream, result);
    if (result->verdict == VERDICT_PASS || result->verdict == VERDICT_FAIL)
        look_outside(stream, result);
    if (result->verdict == VERDICT_PASS && launch.function == NULL)
        result->verdict = VERDICT_EMPTY;
    else if (result->verdict == VERDICT_PASS)
        memcpy(result->digest, stream->digest, sizeof stream->digest);
    else
        stream->pristine_made = false; /* a stray write may lie in it */
    return true;
}

static enum check_end run_checks(struct stream *stream, bool opened,
                                 const struct check_result *refusal, const struct check_list *list)
{
    struct check_result result;
    bool lost = false;
    for (int index = 0; index < list->count && !lost; index++) {
        if (opened)
            lost = !stream_check(stream, &list->checks[index], &result);
        else
            checker_refuse(stream->checker, stream->arena, &list->checks[index], refusal, &result);
        /* After an error of the driver it is not known what the context is still good for; one
         * that stays may be another thread's kernel's, whose crash this one would be blamed for. */
        lost = lost || result.verdict == VERDICT_ERROR || result.verdict == VERDICT_CRASH;
        if (!lost || list->careful)
            list->sink(list->context, index, &result);
    }
    return lost ? CHECK_END_LOST : CHECK_END_DONE;
}

enum check_end stream_run(struct checker *checker, const struct arena *arena,
                          const struct check_list *list)
{
    struct stream stream = {.checker = checker, .arena = arena};
    struct check_result refusal = {0};
    pthread_mutex_lock(&stream_lock);
    bool opened =
        checker_open_harness(checker, &refusal) && stream_open(&stream, checker, arena, &refusal);
    enum check_end end = run_checks(&stream, opened, &refusal, list);
    stream_close(&stream);
    pthread_mutex_unlock(&stream_lock);
    return end;
}
