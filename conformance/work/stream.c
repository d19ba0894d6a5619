/* The streamed check (stream.h). A chunk is as much as is uploaded or downloaded at once; it is
 * made and compared in windows, by as many threads as the machine has cores. */
#include "conformance/work/stream.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/clock.h"
#include "conformance/work/checker_internal.h"
#include "conformance/work/compare.h"
#include "conformance/work/digest.h"

enum { THREADS_MAX = 16, CHUNK_WINDOWS = 16, STALE_BYTE = 0xa5 };

/* What the device must have left besides the arena. */
static const size_t device_reserve_bytes = (size_t)256 << 20;

/* A worker's threads would take its memory several times over: one streams at a time. */
static pthread_mutex_t stream_lock = PTHREAD_MUTEX_INITIALIZER;

struct stream {
    struct checker *checker;
    const struct arena *arena;
    size_t window_bytes;
    unsigned char *chunk;    /* pinned: what is uploaded, or was downloaded */
    unsigned char *expected; /* a window for each thread */
    unsigned char *image;    /* likewise */
    cu_address address;
    struct comparison comparison;
    struct comparison *windows; /* CHUNK_WINDOWS of them: what is wrong in this chunk */
};

/* The work on one chunk, window by window. */
struct sweep {
    struct stream *stream;
    bool compares; /* else it makes the image */
    size_t begin, end;
    atomic_size_t next_window;
    atomic_int next_thread;
    atomic_bool failed; /* for want of memory */
};

static void sweep_window(struct sweep *sweep, int thread, size_t number)
{
    struct stream *stream = sweep->stream;
    size_t begin = sweep->begin + number * stream->window_bytes;
    size_t end =
        begin + stream->window_bytes < sweep->end ? begin + stream->window_bytes : sweep->end;
    unsigned char *expected = stream->expected + (size_t)thread * stream->window_bytes;
    unsigned char *image = stream->image + (size_t)thread * stream->window_bytes;
    unsigned char *chunk = stream->chunk + (begin - sweep->begin);
    if (!stream_expect(stream->arena, 0, begin, end, expected)) {
        sweep->failed = true;
    } else if (!sweep->compares) {
        arena_poison_window(stream->arena, begin, end, expected, chunk);
    } else {
        if (memcmp(expected, chunk, end - begin) != 0) {
            arena_poison_window(stream->arena, begin, end, expected, image);
            compare_window(&stream->windows[number], stream->arena, begin, end, image, expected,
                           chunk);
        }
        /* A download that is lost without a word must not find the last one's bytes. */
        memset(chunk, STALE_BYTE, end - begin);
    }
}

static void *sweep_windows(void *context)
{
    struct sweep *sweep = context;
    int thread = atomic_fetch_add(&sweep->next_thread, 1);
    for (;;) {
        size_t number = atomic_fetch_add(&sweep->next_window, 1);
        if (sweep->begin + number * sweep->stream->window_bytes >= sweep->end || sweep->failed)
            return NULL;
        sweep_window(sweep, thread, number);
    }
}

static int thread_count(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > THREADS_MAX ? THREADS_MAX : (int)online;
}

/* True when the whole chunk was gone through. */
static bool sweep_chunk(struct stream *stream, bool compares, size_t begin, size_t end)
{
    struct sweep sweep = {.stream = stream, .compares = compares, .begin = begin, .end = end};
    pthread_t threads[THREADS_MAX];
    int started = 0;
    while (started < thread_count() - 1 &&
           pthread_create(&threads[started], NULL, sweep_windows, &sweep) == 0)
        started++;
    sweep_windows(&sweep);
    for (int index = 0; index < started; index++)
        pthread_join(threads[index], NULL);
    return !sweep.failed;
}

static size_t chunk_end(const struct stream *stream, size_t begin)
{
    size_t left = stream->arena->bytes - begin;
    size_t chunk = stream->checker->stream_chunk_bytes;
    return begin + (left < chunk ? left : chunk);
}

static void out_of_host_memory(struct check_result *result)
{
    checker_note(result, VERDICT_SKIP, "", "the host has no memory left to stream the case with");
}

/* Poison, pattern and inputs. False when the result says why not. */
static bool upload(struct stream *stream, struct check_result *result)
{
    struct checker *checker = stream->checker;
    const struct cuda_driver *driver = &checker->device->driver;
    cu_result error =
        driver->memset_d8_async(stream->address, STALE_BYTE, stream->arena->bytes, checker->stream);
    for (size_t begin = 0, end; error == CU_SUCCESS && begin < stream->arena->bytes; begin = end) {
        double since = clock_now_s();
        end = chunk_end(stream, begin);
        if (!sweep_chunk(stream, false, begin, end)) {
            out_of_host_memory(result);
            return false;
        }
        checker_account(checker, STAGE_PREPARE, &since);
        error = driver->memcpy_htod_async(stream->address + begin, stream->chunk, end - begin,
                                          checker->stream);
        if (error == CU_SUCCESS)
            error = driver->stream_synchronize(checker->stream);
        checker_account(checker, STAGE_DRIVE, &since);
    }
    if (error != CU_SUCCESS)
        checker_driver_error(result, checker, error, "uploading the case");
    return error == CU_SUCCESS;
}

/* Brings back and compares it all. */
static void compare(struct stream *stream, struct digest *digest, struct check_result *result)
{
    struct checker *checker = stream->checker;
    const struct cuda_driver *driver = &checker->device->driver;
    memset(&stream->comparison, 0, sizeof stream->comparison);
    memset(stream->chunk, STALE_BYTE, checker->stream_chunk_bytes);
    for (size_t begin = 0, end; begin < stream->arena->bytes; begin = end) {
        double since = clock_now_s();
        end = chunk_end(stream, begin);
        cu_result error = driver->memcpy_dtoh_async(stream->chunk, stream->address + begin,
                                                    end - begin, checker->stream);
        if (error == CU_SUCCESS)
            error = driver->stream_synchronize(checker->stream);
        checker_account(checker, STAGE_DRIVE, &since);
        if (error != CU_SUCCESS) {
            checker_driver_error(result, checker, error, "downloading the result");
            return;
        }
        digest_window(digest, begin, end, stream->chunk);
        memset(stream->windows, 0, CHUNK_WINDOWS * sizeof *stream->windows);
        if (!sweep_chunk(stream, true, begin, end)) {
            out_of_host_memory(result);
            return;
        }
        for (int number = 0; number < CHUNK_WINDOWS; number++)
            compare_join(&stream->comparison, &stream->windows[number]);
        checker_account(checker, STAGE_COMPARE, &since);
    }
    result->verdict = compare_end(&stream->comparison, stream->arena, &result->finding);
}

/* One check; false when the context is lost. */
static bool stream_check(struct stream *stream, const struct check *check,
                         struct check_result *result)
{
    struct checker *checker = stream->checker;
    struct checker_launch launch;
    *result = (struct check_result){.check = *check, .verdict = VERDICT_INCONCLUSIVE};
    if (!checker_plan(checker, stream->arena, check, stream->address, result, &launch) ||
        !upload(stream, result))
        return true;
    double since = clock_now_s();
    if (launch.function && !checker_launch(checker, stream->arena, &launch, result))
        return result->verdict == VERDICT_SKIP; /* memory that a launch wants is not the kernel's */
    cu_result error = checker->device->driver.stream_synchronize(checker->stream);
    checker_account(checker, STAGE_DRIVE, &since);
    if (error != CU_SUCCESS) {
        checker_lost(result, checker, error, launch.function != NULL);
        return false;
    }
    struct digest *digest = digest_open(stream->arena);
    if (digest == NULL) {
        out_of_host_memory(result);
        return true;
    }
    compare(stream, digest, result);
    uint64_t sum[2];
    digest_close(digest, sum);
    if (result->verdict == VERDICT_PASS)
        memcpy(result->digest, sum, sizeof sum);
    return true;
}

static void close_stream(struct stream *stream)
{
    const struct cuda_driver *driver = &stream->checker->device->driver;
    if (stream->address)
        driver->mem_free(stream->address);
    if (stream->chunk)
        driver->mem_free_host(stream->chunk);
    free(stream->expected);
    free(stream->image);
    free(stream->windows);
}

/* Takes the memory that the case needs. False with the reason, in numbers. */
static bool open_stream(struct stream *stream, struct check_result *refusal)
{
    struct checker *checker = stream->checker;
    const struct cuda_driver *driver = &checker->device->driver;
    size_t needed = stream->arena->bytes, free_bytes = 0, total_bytes = 0;
    char note[FINDING_NOTE_BYTES];
    if (checker->device->info.ordinal == DEVICE_ORDINAL_HOST && needed >= STREAM_FROM_BYTES) {
        snprintf(note, sizeof note,
                 "a case of %zu bytes would take hours on the host device; it is for a GPU",
                 needed);
        checker_note(refusal, VERDICT_SKIP, "", note);
        return false;
    }
    cu_result error = driver->mem_get_info(&free_bytes, &total_bytes);
    if (error == CU_SUCCESS && free_bytes >= needed + device_reserve_bytes)
        error = driver->mem_alloc(&stream->address, needed);
    else if (error == CU_SUCCESS)
        error = CU_ERROR_OUT_OF_MEMORY;
    if (error == CU_ERROR_OUT_OF_MEMORY) {
        snprintf(note, sizeof note,
                 "the case needs %zu bytes of device memory and some, %zu of %zu are free", needed,
                 free_bytes, total_bytes);
        checker_note(refusal, VERDICT_SKIP, "", note);
        return false;
    }
    if (error != CU_SUCCESS) {
        checker_driver_error(refusal, checker, error, "taking memory for the case");
        return false;
    }
    void *chunk = NULL;
    size_t windows_bytes = (size_t)THREADS_MAX * stream->window_bytes;
    error = driver->mem_host_alloc(&chunk, checker->stream_chunk_bytes, 0);
    stream->chunk = chunk;
    stream->expected = aligned_alloc(ARENA_ALIGNMENT_BYTES, windows_bytes);
    stream->image = aligned_alloc(ARENA_ALIGNMENT_BYTES, windows_bytes);
    stream->windows = calloc(CHUNK_WINDOWS, sizeof *stream->windows);
    bool whole = stream->expected && stream->image && stream->windows;
    if (error == CU_SUCCESS && whole)
        return true;
    if (error != CU_SUCCESS && error != CU_ERROR_OUT_OF_MEMORY) {
        checker_driver_error(refusal, checker, error, "taking memory to stream the case with");
        return false;
    }
    snprintf(note, sizeof note, "the host has not the %zu bytes of memory that streaming takes",
             checker->stream_chunk_bytes + 2 * windows_bytes);
    checker_note(refusal, VERDICT_SKIP, "", note);
    return false;
}

/* What a check comes to that has no memory: a kernel that does not take the shape declines it all
 * the same. */
static void refuse(struct stream *stream, const struct check *check,
                   const struct check_result *refusal, struct check_result *result)
{
    struct checker_launch launch;
    *result = (struct check_result){.check = *check, .verdict = VERDICT_INCONCLUSIVE};
    checker_plan(stream->checker, stream->arena, check, 0, result, &launch);
    if (result->verdict == VERDICT_DECLINED)
        return;
    *result = *refusal;
    result->check = *check;
}

static enum check_end run_checks(struct stream *stream, const struct check *checks, int check_count,
                                 bool careful, check_sink *sink, void *context)
{
    struct check_result refusal = {0}, result;
    bool opened = open_stream(stream, &refusal), lost = false;
    for (int index = 0; index < check_count && !lost; index++) {
        if (opened)
            lost = !stream_check(stream, &checks[index], &result);
        else
            refuse(stream, &checks[index], &refusal, &result);
        /* Behind an error of the driver it is not known what the context is still good for; one
         * that stays may be another thread's kernel's, whose crash this one would be blamed for. */
        lost = lost || result.verdict == VERDICT_ERROR || result.verdict == VERDICT_CRASH;
        if (!lost || careful)
            sink(context, index, &result);
    }
    return lost ? CHECK_END_LOST : CHECK_END_DONE;
}

enum check_end stream_run(struct checker *checker, const struct arena *arena,
                          const struct check *checks, int check_count, bool careful,
                          check_sink *sink, void *context)
{
    struct stream stream = {.checker = checker,
                            .arena = arena,
                            .window_bytes = checker->stream_chunk_bytes / CHUNK_WINDOWS};
    pthread_mutex_lock(&stream_lock);
    enum check_end end = run_checks(&stream, checks, check_count, careful, sink, context);
    close_stream(&stream);
    pthread_mutex_unlock(&stream_lock);
    return end;
}
