/* The streamed check (stream.h). A chunk is as much as is uploaded or downloaded at once; it is
 * made and compared in windows by all cores, while the next one is on its way. What the checks of
 * the case share is made once for them all, where there is memory: what the arena must hold, its
 * image on the device, and the digest. */
#include "conformance/work/stream.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "conformance/base/heap.h"
#include "conformance/base/process.h"
#include "conformance/work/compare.h"
#include "conformance/work/windows.h"

#define PATTERN_KEY UINT64_C(0xbb67ae8584caa73b)

enum { CHUNK_WINDOWS = 128, CHUNKS = 2, STALE_BYTE = 0xa5 };

/* One case on its way through all of its checks. */
struct stream {
    struct checker *checker;
    const struct arena *arena;
    struct stream_source source;
    struct team *team;
    size_t window_bytes;
    /* Pinned: while one is uploaded or downloaded, the other is made or compared. */
    unsigned char *chunks[CHUNKS];
    /* The contents that the arena must have: all of it, made once for every check, or two chunks in
     * turn, made whenever they are needed. */
    unsigned char *expected;
    bool holds_all, expected_made;
    unsigned char *images; /* a window for each thread */
    cu_address address;    /* the arena that kernels run on */
    cu_address memory;     /* the allocation: a report, then what is around the arena */
    bool around_made;
    struct harness_range around; /* with a pattern on both sides */
    /* The arena as it is uploaded, kept on the device; 0 if there is no room. Made again after a
     * check that did not pass, which may have harmed it. */
    cu_address pristine;
    bool pristine_made;
    struct harness_report pristine_right; /* its digest, taken before any launch */
    bool digested;
    uint64_t digest[2];              /* of the expected output; a check that passes has the same */
    struct comparison comparison;    /* of the check under way */
    struct comparison *windows;      /* CHUNK_WINDOWS: what is wrong in its chunk */
    const struct callable *callable; /* of the check under way; NULL: nothing was launched */
};

/* Available memory: Linux's own estimate, and the limit of the container. */

/* The first number of a file; `otherwise` without a file, or if it says "max". */
static uint64_t read_number(const char *path, uint64_t otherwise)
{
    uint64_t number = otherwise;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return otherwise;
    if (fscanf(file, "%" SCNu64, &number) != 1)
        number = otherwise;
    fclose(file);
    return number;
}

/* Memory that the machine has available or the control group leaves, whichever is less. 0 if
 * neither is reported. */
static size_t available_memory_bytes(void)
{
    static const struct {
        const char *limit, *used;
    } groups[] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes",
         "/sys/fs/cgroup/memory/memory.usage_in_bytes"},
    };
    char line[256];
    uint64_t kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && kib == 0 && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) != 1)
            kib = 0;
    if (file)
        fclose(file);
    uint64_t available = kib * 1024;
    for (size_t index = 0; index < sizeof groups / sizeof groups[0]; index++) {
        uint64_t limit = read_number(groups[index].limit, UINT64_MAX);
        uint64_t used = read_number(groups[index].used, 0);
        uint64_t left = used < limit ? limit - used : 0;
        available = left < available ? left : available;
    }
    return (size_t)available;
}

/* The memory of a streamed case: what it cannot do without is a reason to skip;
 * what only makes it faster is done without. */

/* Device memory that must be left besides the arena. */
static const size_t device_reserve_bytes = (size_t)256 << 20;

/* So large a page costs one fault where small ones cost hundreds. */
static const size_t large_page_bytes = (size_t)2 << 20;

/* The arena, and a second one where there is room for it. */
static bool take_device_memory(struct stream *stream, struct check_result *ret_refusal)
{
    const struct cuda_driver *driver = &stream->checker->device->driver;
    size_t needed = stream->arena->bytes, free_bytes = 0, total_bytes = 0;
    size_t margin = stream->checker->region.margin_bytes;
    cu_result error = driver->mem_get_info(&free_bytes, &total_bytes);
    if (error == CU_SUCCESS && free_bytes >= needed + device_reserve_bytes)
        error = device_take(stream->checker->device, 2 * margin + HARNESS_REPORT_BYTES + needed,
                            &stream->memory);
    else if (error == CU_SUCCESS)
        error = CU_ERROR_OUT_OF_MEMORY;
    if (error == CU_ERROR_OUT_OF_MEMORY) {
        char note[FINDING_NOTE_BYTES];
        snprintf(note, sizeof note,
                 "the case needs more than %zu bytes of device memory, %zu of %zu are free", needed,
                 free_bytes, total_bytes);
        return checker_note(ret_refusal, VERDICT_SKIP, "", note);
    }
    if (error == CU_SUCCESS) { /* report, pattern, arena, pattern, as in a region */
        stream->around = (struct harness_range){.address = stream->memory + HARNESS_REPORT_BYTES,
                                                .bytes = 2 * margin + needed,
                                                .hole_begin = margin,
                                                .hole_end = margin + needed,
                                                .key = PATTERN_KEY};
        stream->address = stream->around.address + margin;
    }
    if (error == CU_SUCCESS && free_bytes >= 2 * needed + device_reserve_bytes)
        error = device_take(stream->checker->device, needed, &stream->pristine);
    return error == CU_SUCCESS || error == CU_ERROR_OUT_OF_MEMORY ||
           checker_driver_error(ret_refusal, stream->checker, error, "taking memory for the case");
}

/* The checker's memory for whole arenas, which grows from case to case: pages that were touched
 * once cost no fault again. NULL if the host cannot spare it. */
static unsigned char *hold(struct checker *checker, size_t bytes)
{
    if (bytes <= checker->held_bytes)
        return checker->held;
    /* Half of what is free, shared: the workers of other GPUs see the same memory free, and take
     * theirs at the same moment (runner.stream.share). */
    const size_t share =
        (available_memory_bytes() + checker->held_bytes) / 2 / (size_t)checker->sharers;
    if (bytes > checker->held_bytes_max || bytes > share)
        return NULL;
    size_t rounded = (bytes + large_page_bytes - 1) / large_page_bytes * large_page_bytes;
    void *memory =
        checker->held
            ? mremap(checker->held, checker->held_bytes, rounded, MREMAP_MAYMOVE)
            : mmap(NULL, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, rounded, MADV_HUGEPAGE);
    checker->held = memory;
    checker->held_bytes = rounded;
    return memory;
}

void stream_release(struct checker *checker)
{
    if (checker->held)
        munmap(checker->held, checker->held_bytes);
    checker->held = NULL;
    checker->held_bytes = 0;
}

static bool take_host_memory(struct stream *stream, struct check_result *ret_refusal)
{
    struct checker *checker = stream->checker;
    size_t chunk_bytes = checker->stream_chunk_bytes;
    stream->team = team_open(checker->stream_threads);
    stream->windows = heap_take(CHUNK_WINDOWS, sizeof *stream->windows);
    const size_t images_bytes = (size_t)team_threads(stream->team) * stream->window_bytes;
    stream->images = malloc(images_bytes);
    stream->expected = hold(checker, stream->arena->bytes);
    stream->holds_all = stream->expected != NULL;
    if (!stream->holds_all)
        stream->expected = aligned_alloc(ARENA_ALIGNMENT_BYTES, CHUNKS * chunk_bytes);
    cu_result error = CU_SUCCESS;
    for (int index = 0; index < CHUNKS && error == CU_SUCCESS; index++) {
        void *chunk = NULL;
        error = checker->device->driver.mem_host_alloc(&chunk, chunk_bytes, 0);
        stream->chunks[index] = chunk;
    }
    if (error != CU_SUCCESS && error != CU_ERROR_OUT_OF_MEMORY)
        return checker_driver_error(ret_refusal, checker, error,
                                    "taking memory to stream the case");
    if (error == CU_SUCCESS && stream->images && stream->expected)
        return true;
    char note[FINDING_NOTE_BYTES];
    snprintf(note, sizeof note, "the host lacks the %zu bytes of memory that streaming takes",
             2 * CHUNKS * chunk_bytes + images_bytes);
    return checker_note(ret_refusal, VERDICT_SKIP, "", note);
}

/* A check or a digest of the range, waited for. The driver's error, and the report may be
 * anything. */
static cu_result take_report(struct stream *stream, const struct harness_range *range,
                             bool is_digest, struct harness_report *ret)
{
    struct checker *checker = stream->checker;
    void *pinned = stream->chunks[0];
    memset(pinned, STALE_BYTE, sizeof *ret);
    cu_result error = harness_look(&checker->harness, range, is_digest, stream->memory, pinned);
    error = error ? error : checker->device->driver.stream_synchronize(checker->stream);
    memcpy(ret, pinned, sizeof *ret);
    return error;
}

/* A look at the range, with the last change where there is one. False if a call failed: the
 * result says so, and the state may be anything. */
static bool look(struct stream *stream, const struct harness_range *range,
                 enum harness_state *ret_state, struct harness_change *ret_change,
                 struct check_result *result)
{
    struct checker *checker = stream->checker;
    struct harness_report report;
    cu_result error = take_report(stream, range, false, &report);
    *ret_state = harness_state(range, &report);
    if (error == CU_SUCCESS && *ret_state == HARNESS_CHANGED)
        error = harness_find(&checker->harness, range, &report, stream->chunks[0], ret_change);
    return error == CU_SUCCESS ||
           checker_driver_error(result, checker, error, checker_reading_change);
}

/* The device's digest of the pristine arena as it is now. False as look. */
static bool digest_pristine(struct stream *stream, struct harness_report *ret,
                            struct check_result *result)
{
    const struct harness_range range = {.address = stream->pristine, .bytes = stream->arena->bytes};
    const cu_result error = take_report(stream, &range, true, ret);
    return error == CU_SUCCESS || checker_driver_error(result, stream->checker, error,
                                                       "taking the digest of the case's copy");
}

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
    return stream->expected + (stream->holds_all ? position : position % (CHUNKS * chunk));
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
    const size_t begin = sweep->begin + (size_t)(piece - 1) * stream->window_bytes;
    const size_t left = sweep->end - begin;
    const size_t end = left < stream->window_bytes ? sweep->end : begin + stream->window_bytes;
    unsigned char *expected = expected_at(stream, begin);
    unsigned char *chunk = sweep->chunk + (begin - sweep->begin);
    if (!stream->expected_made && !stream_expect(&stream->source, 0, begin, end, expected)) {
        sweep->failed = true;
    } else if (!sweep->compares) {
        arena_poison_window(stream->arena, begin, end, expected, chunk);
    } else {
        unsigned char *image = stream->images + (size_t)thread * stream->window_bytes;
        if (memcmp(expected, chunk, end - begin) != 0) {
            arena_poison_window(stream->arena, begin, end, expected, image);
            compare_window(&stream->windows[piece - 1], stream->arena, begin, end, image, expected,
                           chunk);
        }
        /* A download that is lost without a word must not find the last one's bytes. */
        memset(chunk, STALE_BYTE, end - begin);
    }
}

/* True when the whole chunk was gone through; else the result says why. */
static bool sweep_chunk(struct sweep *sweep, struct check_result *result)
{
    size_t window = sweep->stream->window_bytes;
    size_t windows = (sweep->end - sweep->begin + window - 1) / window;
    team_run(sweep->stream->team, sweep_piece, sweep, 1 + (int)windows);
    return !sweep->failed ||
           checker_note(result, VERDICT_SKIP, "", "the host has no memory left to stream the case");
}

/* The sweep over the chunk that begins there. */
static struct sweep chunk_sweep(struct stream *stream, bool compares, size_t begin)
{
    size_t left = stream->arena->bytes - begin, chunk = stream->checker->stream_chunk_bytes;
    return (struct sweep){.stream = stream,
                          .compares = compares,
                          .begin = begin,
                          .end = begin + (left < chunk ? left : chunk),
                          .chunk = stream->chunks[begin / chunk % CHUNKS]};
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
        driver->memset_d8_async(target, STALE_BYTE, stream->arena->bytes, checker->stream);
    struct sweep sweep = {.end = 0};
    for (size_t begin = 0; error == CU_SUCCESS && begin < stream->arena->bytes; begin = sweep.end) {
        size_t before = sweep.begin;
        sweep = chunk_sweep(stream, false, begin);
        sweep.digest = digest;
        sweep.digest_begin = before;
        if (!sweep_chunk(&sweep, result)) {
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
    error = error ? error : wait_for_device(stream, &since);
    if (error != CU_SUCCESS)
        return checker_driver_error(result, checker, error, "uploading the case");
    stream->expected_made = stream->holds_all;
    for (int index = 0; index < CHUNKS; index++)
        memset(stream->chunks[index], STALE_BYTE, checker->stream_chunk_bytes);
    return true;
}

/* The first upload of a case also takes the digest of what must come back: a check that passes has
 * the same, since what it has in other bits are NaNs, and they count as one. */
static bool upload_digesting(struct stream *stream, cu_address target, struct check_result *result)
{
    if (stream->digested)
        return upload(stream, target, NULL, result);
    struct digest *digest = digest_open(stream->arena);
    stream->digested = upload(stream, target, digest, result);
    digest_close(digest, stream->digest);
    return stream->digested;
}

/* Makes the arena on the device ready for a launch, and what is around it. */
static bool prepare(struct stream *stream, struct check_result *result)
{
    struct checker *checker = stream->checker;
    const struct cuda_driver *driver = &checker->device->driver;
    const size_t bytes = stream->arena->bytes;
    cu_result error =
        stream->around_made ? CU_SUCCESS : harness_fill_around(&checker->harness, &stream->around);
    stream->around_made = error == CU_SUCCESS;
    if (!stream->around_made)
        return checker_driver_error(result, checker, error, "filling the memory around the case");
    if (stream->pristine == 0)
        return upload_digesting(stream, stream->address, result);
    if (!stream->pristine_made)
        stream->pristine_made = upload_digesting(stream, stream->pristine, result) &&
                                digest_pristine(stream, &stream->pristine_right, result);
    if (!stream->pristine_made)
        return false;
    /* Were the copy lost without a word, the last kernel's right result would still be there. */
    error = driver->memset_d8_async(stream->address, STALE_BYTE, bytes, checker->stream);
    if (error == CU_SUCCESS)
        error =
            driver->memcpy_dtod_async(stream->address, stream->pristine, bytes, checker->stream);
    return error == CU_SUCCESS ||
           checker_driver_error(result, checker, error, "copying the case on the device");
}

/* Puts an operand that is elsewhere into the window; *outside is the first FAIL of what is around
 * it. False if it could not be brought back: the result says why. */
static bool take_window(struct stream *stream, const struct sweep *sweep, struct finding *outside,
                        struct check_result *result)
{
    struct finding finding;
    if (stream->callable == NULL ||
        callable_take(stream->callable, sweep->begin, sweep->end, sweep->chunk, &finding))
        return true;
    if (finding.verdict == VERDICT_FAIL) {
        *outside = outside->verdict == VERDICT_FAIL ? *outside : finding;
        return true;
    }
    result->finding = finding;
    result->verdict = finding.verdict;
    return false;
}

/* Brings back and compares it all; each chunk is compared while the next one is downloaded. If that
 * ends early, wrong bits that were seen by then are a FAIL all the same. */
static void compare(struct stream *stream, struct check_result *result)
{
    struct checker *checker = stream->checker;
    const struct cuda_driver *driver = &checker->device->driver;
    bool is_whole = true;
    struct finding outside = {.verdict = VERDICT_PASS};
    double since = clock_now_s();
    struct sweep sweep = {.end = 0}, next = chunk_sweep(stream, true, 0);
    memset(&stream->comparison, 0, sizeof stream->comparison);
    cu_result error =
        driver->memcpy_dtoh_async(next.chunk, stream->address, next.end, checker->stream);
    while (is_whole && next.begin < next.end) {
        sweep = next;
        error = error ? error : wait_for_device(stream, &since);
        next = chunk_sweep(stream, true, sweep.end);
        if (error == CU_SUCCESS && next.begin < next.end)
            error = driver->memcpy_dtoh_async(next.chunk, stream->address + next.begin,
                                              next.end - next.begin, checker->stream);
        if (error != CU_SUCCESS) {
            is_whole = checker_driver_error(result, checker, error, "downloading the result");
            break;
        }
        is_whole = take_window(stream, &sweep, &outside, result);
        memset(stream->windows, 0, CHUNK_WINDOWS * sizeof *stream->windows);
        is_whole = is_whole && sweep_chunk(&sweep, result);
        if (!is_whole)
            wait_for_device(stream, &since); /* a download may be writing a chunk */
        for (int number = 0; number < CHUNK_WINDOWS; number++)
            compare_join(&stream->comparison, &stream->windows[number]);
        checker_account(checker, STAGE_COMPARE, &since);
    }
    const enum verdict verdict = compare_end(&stream->comparison, stream->arena, &result->finding);
    if (is_whole || verdict == VERDICT_FAIL)
        result->verdict = verdict;
    if (result->verdict == VERDICT_PASS && outside.verdict == VERDICT_FAIL) {
        result->finding = outside;
        result->verdict = VERDICT_FAIL;
    }
}

/* Looks at the memory without an operand of this check. The next check begins with the pristine
 * arena, and would fail in this one's place: its digest is taken again. */
static void look_outside(struct stream *stream, struct check_result *result)
{
    const size_t bytes = stream->arena->bytes;
    const struct harness_range range = {
        .address = stream->pristine, .bytes = bytes, .right = stream->address};
    const struct harness_report *right = &stream->pristine_right;
    struct harness_change change = {.words = 0}; /* as without a change */
    struct harness_report now;
    enum harness_state state;
    stream->around_made = false;
    if (!look(stream, &stream->around, &state, &change, result))
        return;
    stream->around_made = state == HARNESS_INTACT;
    checker_judge_around(stream->arena, state, &change, result);
    if (result->verdict != VERDICT_PASS || !stream->pristine ||
        !digest_pristine(stream, &now, result))
        return;
    if (now.words != harness_words(&range) || right->words != now.words) {
        checker_judge_around(stream->arena, HARNESS_NOT_LOOKED_AT, NULL, result);
        return;
    }
    /* The place that a launch changed there, as it is from the arena, where what the other must
     * hold is uploaded again. */
    if (now.sum == right->sum || !upload(stream, stream->address, NULL, result) ||
        !look(stream, &range, &state, &change, result))
        return;
    change.from_begin += (int64_t)(stream->pristine - stream->address);
    change.from_end = change.from_begin - (int64_t)bytes;
    if (state == HARNESS_INTACT)
        checker_note(result, VERDICT_INCONCLUSIVE, "",
                     "the digest of the case's copy on the device changed, but no byte of it did");
    else
        checker_judge_around(stream->arena, state, &change, result);
}

/* One check; false when the context is lost. */
static bool stream_check(struct stream *stream, const struct subject *subject,
                         struct check_result *result)
{
    struct checker *checker = stream->checker;
    struct callable callable;
    *result = (struct check_result){.subject = *subject, .verdict = VERDICT_INCONCLUSIVE};
    if (!checker_plan(checker, stream->arena, subject, result, &callable) ||
        !prepare(stream, result))
        return true;
    double since = clock_now_s();
    if (callable.has_work &&
        !checker_launch(checker, stream->arena, stream->address, &callable, result))
        return result->verdict ==
                   VERDICT_SKIP ||              /* memory that a launch wants is not the kernel's */
               result->verdict == VERDICT_FAIL; /* its window is wrong */
    cu_result error = wait_for_device(stream, &since);
    if (error != CU_SUCCESS) {
        checker_lost(result, checker, error, callable.has_work);
        return false;
    }
    checker->touched =
        (struct checker_touched){stream->address, stream->address + stream->arena->bytes};
    stream->callable = callable.has_work ? &callable : NULL;
    compare(stream, result);
    stream->callable = NULL;
    if (result->verdict == VERDICT_PASS || result->verdict == VERDICT_FAIL)
        look_outside(stream, result);
    if (result->verdict == VERDICT_PASS && !callable.has_work)
        result->verdict = VERDICT_EMPTY;
    else if (result->verdict == VERDICT_PASS)
        memcpy(result->digest, stream->digest, sizeof stream->digest);
    else
        stream->pristine_made = false; /* a stray write may be in it */
    /* A wrong bit hides that a later call failed. */
    return result->verdict != VERDICT_FAIL ||
           checker->device->driver.stream_synchronize(checker->stream) == CU_SUCCESS;
}

enum check_end stream_run(struct checker *checker, const struct arena *arena,
                          const struct check_list *list)
{
    const struct cuda_driver *driver = &checker->device->driver;
    struct stream stream = {.checker = checker,
                            .arena = arena,
                            .window_bytes = checker->stream_chunk_bytes / CHUNK_WINDOWS};
    struct check_result refusal = {0}, result;
    char note[FINDING_NOTE_BYTES];
    bool lost = false;
    snprintf(note, sizeof note,
             "a case of %zu bytes would take hours on the host device; it is for a GPU",
             arena->bytes);
    pthread_mutex_lock(&stream_lock);
    bool opened = checker_open_harness(checker, &refusal);
    if (opened && device_kind(&checker->device->info)->is_emulated &&
        arena->bytes >= STREAM_FROM_BYTES)
        opened = checker_note(&refusal, VERDICT_SKIP, "", note);
    opened = opened && take_device_memory(&stream, &refusal) && take_host_memory(&stream, &refusal);
    if (opened)
        stream.source = stream_source_open(arena);
    for (int index = 0; index < list->count && !lost; index++) {
        if (opened)
            lost = !stream_check(&stream, &list->checks[index], &result);
        else
            checker_refuse(checker, arena, &list->checks[index], &refusal, &result);
        /* After an error of the driver it is not known what the context is still good for; one
         * that stays may be another thread's kernel's, whose crash this one would be blamed for. */
        lost = lost || result.verdict == VERDICT_ERROR || result.verdict == VERDICT_CRASH;
        if (!lost || list->careful)
            checker_sink(checker, list, index, &result);
    }
    if (stream.memory)
        driver->mem_free(stream.memory);
    if (stream.pristine)
        driver->mem_free(stream.pristine);
    host_memory_release(&checker->holder.hosts, checker->device);
    for (int index = 0; index < CHUNKS; index++)
        if (stream.chunks[index])
            driver->mem_free_host(stream.chunks[index]);
    stream_source_close(&stream.source);
    team_close(stream.team);
    if (!stream.holds_all)
        free(stream.expected);
    free(stream.images);
    free(stream.windows);
    pthread_mutex_unlock(&stream_lock);
    return lost ? CHECK_END_LOST : CHECK_END_DONE;
}
