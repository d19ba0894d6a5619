/* Making and restoring the buffers of a timing (buffers.h). Clauses: bandwidth.bits.first,
 * bandwidth.regime.cold. */
#include "conformance/work/buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/process.h"
#include "conformance/work/compare.h"
#include "conformance/work/harness.h"

/* Digests of a case. A window is made as it is before the kernel, with its outputs
 * flipped, and with the right ones, and its digests are taken while it is in a core's cache.
 * Clauses: bandwidth.bits.first, bandwidth.bits.digest. */

size_t bench_copy_bytes(const struct fuzz_case *test_case)
{
    struct traffic traffic = algorithm_traffic(test_case->algorithm, test_case->axis);
    return (size_t)((traffic.read_bytes + traffic.written_bytes) / 2 / 16 * 16);
}

enum { POISON_BYTES = 4096 };

struct digests {
    const struct arena *arena;
    size_t copy_bytes;
    size_t from, to; /* around the outputs */
    struct stream_source source;
    const atomic_bool *ended;
    _Atomic uint64_t sums[BENCH_CONTENT_COUNT];
};

static size_t clamp(size_t value, size_t least, size_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* The window's contents differ only around the outputs: the rest is summed once. */
static bool add_window(struct digests *digests, size_t begin, size_t end, unsigned char *window)
{
    const struct arena *arena = digests->arena;
    const size_t copied = clamp(digests->copy_bytes, begin, end);
    const size_t from = clamp(digests->from, begin, end), to = clamp(digests->to, begin, end);
    unsigned char *outputs = window + (from - begin), poison[POISON_BYTES];
    bool is_poisoned = false;
    stream_begin(arena, 0, begin, end, window);
    const uint64_t before = harness_sum(window, copied - begin, begin);
    const uint64_t image = before + harness_sum(window + (copied - begin), end - copied, copied);
    const uint64_t others = image - harness_sum(outputs, to - from, from);
    uint64_t after = 0; /* of the poison after the bytes that a copy copies */
    memset(poison, BENCH_POISON, sizeof poison);
    for (size_t at = copied; at < end; at += sizeof poison)
        after += harness_sum(poison, end - at < sizeof poison ? end - at : sizeof poison, at);
    atomic_fetch_add(&digests->sums[BENCH_CONTENT_IMAGE], image);
    atomic_fetch_add(&digests->sums[BENCH_CONTENT_COPIED], before + after);
    atomic_fetch_add(&digests->sums[BENCH_CONTENT_COPIED_PART], before);
    arena_flip_window(arena, begin, end, window);
    atomic_fetch_add(&digests->sums[BENCH_CONTENT_FLIPPED],
                     others + harness_sum(outputs, to - from, from));
    if (!stream_outputs(&digests->source, begin, end, window))
        return false;
    uint64_t right = harness_sum(outputs, to - from, from);
    atomic_fetch_add(&digests->sums[BENCH_CONTENT_RIGHT], others + right);
    /* Poison in outputs that have gaps, in their elements too. */
    for (int index = 0; index < arena->operand_count; index++) {
        const size_t first = clamp(arena->operands[index].begin, begin, end);
        const size_t last = clamp(arena->operands[index].end, begin, end);
        if (!bench_is_output(arena, index) || !bench_has_gaps(arena, index))
            continue;
        memset(window + (first - begin), BENCH_POISON, last - first);
        is_poisoned = true;
    }
    if (is_poisoned && !stream_outputs(&digests->source, begin, end, window))
        return false;
    if (is_poisoned)
        right = harness_sum(outputs, to - from, from);
    atomic_fetch_add(&digests->sums[BENCH_CONTENT_RIGHT_PART], right);
    return true;
}

static bool take_window(void *context, size_t begin, size_t end)
{
    struct digests *digests = context;
    if (stop_is_signalled() || (digests->ended && atomic_load(digests->ended)))
        return false;
    unsigned char *window = malloc(end - begin);
    const bool added = window && add_window(digests, begin, end, window);
    free(window);
    return added;
}

bool bench_is_output(const struct arena *arena, int operand)
{
    return arena->test_case->algorithm->operands[operand].role == OPERAND_OUTPUT;
}

bool bench_has_gaps(const struct arena *arena, int operand)
{
    const struct view *view = &arena->operands[operand].view;
    return view->span != view->rows * view->columns;
}

void bench_written(const struct arena *arena, size_t *ret_from, size_t *ret_to)
{
    *ret_from = arena->bytes;
    *ret_to = 0;
    for (int index = arena->operand_count - 1; index >= 0; index--) {
        const struct arena_operand *operand = &arena->operands[index];
        if (!bench_is_output(arena, index))
            continue;
        *ret_from = operand->from < *ret_from ? operand->from : *ret_from;
        *ret_to = operand->to > *ret_to ? operand->to : *ret_to;
    }
}

bool case_digests(const struct fuzz_case *test_case, const atomic_bool *ended,
                  uint64_t ret[BENCH_CONTENT_COUNT])
{
    const struct arena arena = arena_layout(test_case);
    struct digests digests = {.arena = &arena,
                              .copy_bytes = bench_copy_bytes(test_case),
                              .source = stream_source_open(&arena),
                              .ended = ended};
    bench_written(&arena, &digests.from, &digests.to);
    const bool made = windows_each(NULL, arena.bytes, take_window, &digests);
    stream_source_close(&digests.source);
    for (int content = 0; made && content < BENCH_CONTENT_COUNT; content++)
        ret[content] = digests.sums[content];
    return made;
}

/* Making the case of a timing. */

/* A piece of the arena from `begin` on, as the host makes it. */
struct piece {
    const struct arena *arena;
    size_t begin;
    unsigned char *image;    /* inputs, and the pattern in all else, which needs no golden */
    unsigned char *expected; /* with the golden's outputs, from its source; or NULL */
    struct stream_source source;
};

static bool make_window(void *context, size_t from, size_t to)
{
    struct piece *piece = context;
    const size_t begin = piece->begin + from, end = piece->begin + to;
    stream_begin(piece->arena, 0, begin, end, piece->image + from);
    return piece->expected == NULL ||
           stream_expect(&piece->source, 0, begin, end, piece->expected + from);
}

bool bench_make_whole(const struct arena *arena, unsigned char *image, unsigned char *expected)
{
    struct piece piece = {
        .arena = arena, .image = image, .expected = expected, .source = stream_source_open(arena)};
    const bool made = windows_each(NULL, arena->bytes, make_window, &piece);
    stream_source_close(&piece.source);
    return made;
}

/* Made and uploaded at a time: some windows for each core. Twice as much is pinned, which takes a
 * tenth of a second for 256 MiB. */
static const size_t piece_bytes_max = (size_t)32 << 20;

void bench_buffers_free(struct bench_buffers *buffers)
{
    const struct cuda_driver *driver = &buffers->device->driver;
    if (buffers->memory)
        driver->mem_free(buffers->memory);
    if (buffers->staging)
        driver->mem_free_host(buffers->staging);
    team_close(buffers->team);
    *buffers = (struct bench_buffers){.device = buffers->device};
}

/* One piece is made while the one before it is uploaded; a piece's memory is used again when its
 * upload has ended. */
static cu_result upload_case(struct bench_buffers *buffers, const char **ret_doing)
{
    const struct cuda_driver *driver = &buffers->device->driver;
    cu_stream stream = buffers->device->stream;
    const size_t bytes = buffers->arena.bytes;
    cu_event ended[2] = {NULL};
    if (buffers->team == NULL && bytes > piece_bytes_max)
        buffers->team = team_open(team_cores());
    cu_result error = driver->event_create(&ended[0], 0);
    error = error ? error : driver->event_create(&ended[1], 0);
    for (size_t begin = 0, turn = 0; error == CU_SUCCESS && begin < bytes; turn ^= 1) {
        const size_t left = bytes - begin;
        const size_t end = begin + (left < buffers->staging_bytes ? left : buffers->staging_bytes);
        unsigned char *image = buffers->staging + turn * buffers->staging_bytes;
        struct piece piece = {.arena = &buffers->arena, .begin = begin, .image = image};
        *ret_doing = "uploading the case";
        error = driver->event_synchronize(ended[turn]);
        if (error == CU_SUCCESS) {
            windows_each(buffers->team, end - begin, make_window, &piece);
            error =
                driver->memcpy_htod_async(buffers->pristine + begin, image, end - begin, stream);
        }
        error = error ? error : driver->event_record(ended[turn], stream);
        begin = end;
    }
    cu_result waited = driver->stream_synchronize(stream);
    for (int turn = 0; turn < 2 && ended[turn]; turn++)
        driver->event_destroy(ended[turn]);
    return error ? error : waited;
}

int bench_buffers_pairs(const struct bench_buffers *buffers)
{
    return buffers->count > 1 ? buffers->count / 2 : 1;
}

/* No copy soon reads what another wrote: it would find that in the cache. */
int bench_buffers_pair(const struct bench_buffers *buffers, uint64_t turn, cu_address *ret_source,
                       cu_address *ret_target)
{
    int pairs = bench_buffers_pairs(buffers), source = (int)(turn % (uint64_t)pairs);
    int target = buffers->count > 1 ? pairs + source : 0;
    *ret_source = buffers->count > 1 ? buffers->buffers[source] : buffers->pristine;
    *ret_target = buffers->buffers[target];
    return target;
}

/* How many pairs hold that many bytes: launches touch the whole of a buffer, and copies the
 * beginning of two. */
static uint64_t pairs_of(uint64_t bytes, size_t arena_bytes, size_t copy_bytes)
{
    const uint64_t most = BENCH_BUFFERS_MAX / 2;
    const uint64_t launches = arena_bytes ? (bytes + arena_bytes - 1) / arena_bytes : 1;
    uint64_t pairs = copy_bytes ? (bytes + 2 * copy_bytes - 1) / (2 * copy_bytes) : 1;
    pairs = pairs < (launches + 1) / 2 ? (launches + 1) / 2 : pairs;
    return pairs < most ? pairs : most;
}

/* Samples of long launches are on so few places. */
enum { PLACES_LEAST = 4 };

static void count_buffers(struct bench_buffers *buffers, const struct bench_rotation *rotation,
                          size_t arena_bytes, size_t copy_bytes)
{
    const uint64_t most_bytes = device_share_bytes(&buffers->device->info);
    const uint64_t cold = pairs_of(rotation->cold_bytes, arena_bytes, copy_bytes);
    uint64_t round = pairs_of(rotation->round_bytes, arena_bytes, copy_bytes);
    buffers->rotates = cold > 1 || arena_bytes < rotation->cold_bytes;
    if (!buffers->rotates) {
        buffers->all = rotation->places > 1 ? (int)rotation->places : 1;
        buffers->least = buffers->all < PLACES_LEAST ? buffers->all : PLACES_LEAST;
        return;
    }
    if (round * 2 * arena_bytes > most_bytes)
        round = most_bytes / (2 * arena_bytes);
    buffers->all = (int)(2 * (round > cold ? round : cold));
    buffers->least = (int)(2 * cold);
}

cu_result bench_buffers_hold(struct bench_buffers *buffers, const struct bench_job *job,
                             const struct fuzz_case *test_case, size_t copy_bytes,
                             const char **ret_doing)
{
    const struct bench_rotation *rotation = &job->rotation;
    const struct cuda_driver *driver = &buffers->device->driver;
    if (strcmp(buffers->text, job->text) == 0 &&
        memcmp(&buffers->rotation, rotation, sizeof buffers->rotation) == 0) {
        memcpy(buffers->digests, job->digests, sizeof buffers->digests);
        buffers->count = buffers->least;
        return CU_SUCCESS;
    }
    buffers->text[0] = 0;
    buffers->test_case = *test_case;
    struct arena arena = arena_layout(&buffers->test_case);
    const size_t staging = arena.bytes < piece_bytes_max ? arena.bytes : piece_bytes_max;
    cu_result error = CU_SUCCESS;
    *ret_doing = "taking host memory for the case";
    if (staging > buffers->staging_bytes) { /* kept from case to case */
        void *memory = NULL;
        bench_buffers_free(buffers);
        error = driver->mem_host_alloc(&memory, 2 * staging, 0);
        buffers->staging = memory;
        buffers->staging_bytes = error == CU_SUCCESS ? staging : 0;
    }
    if (error != CU_SUCCESS)
        return error;
    *ret_doing = "taking memory for the case";
    count_buffers(buffers, rotation, arena.bytes, copy_bytes);
    const size_t bytes = arena.bytes * ((size_t)buffers->all + 1);
    if (bytes > buffers->device_bytes) {
        if (buffers->memory)
            driver->mem_free(buffers->memory);
        buffers->memory = 0;
        error = device_take(buffers->device, bytes, &buffers->memory);
        buffers->device_bytes = error == CU_SUCCESS ? bytes : 0;
    }
    if (error != CU_SUCCESS)
        return error;
    buffers->test_case = *test_case; /* host memory was allocated again with everything else */
    buffers->arena = arena;
    buffers->arena.test_case = &buffers->test_case;
    buffers->copy_bytes = copy_bytes;
    buffers->pristine = buffers->memory;
    buffers->count = buffers->least;
    for (int index = 0; index < buffers->all; index++)
        buffers->buffers[index] = buffers->memory + ((size_t)index + 1) * arena.bytes;
    error = upload_case(buffers, ret_doing);
    if (error != CU_SUCCESS)
        return error;
    buffers->rotation = *rotation;
    memcpy(buffers->digests, job->digests, sizeof buffers->digests);
    snprintf(buffers->text, sizeof buffers->text, "%s", job->text);
    return CU_SUCCESS;
}

cu_result bench_buffers_restore(const struct bench_buffers *buffers, cu_stream stream)
{
    cu_result error = CU_SUCCESS;
    for (int index = 0; error == CU_SUCCESS && index < buffers->count; index++)
        error = buffers->device->driver.memcpy_dtod_async(
            buffers->buffers[index], buffers->pristine, buffers->arena.bytes, stream);
    return error;
}

/* Finds the wrong bytes in a buffer of a timing, which a digest cannot place. The case is made
 * again, whole, since none of it was kept. */

enum verdict bench_buffers_find(const struct bench_buffers *buffers, cu_address buffer,
                                enum bench_content content, enum bench_content before,
                                cu_stream stream, struct finding *ret)
{
    const struct arena *arena = &buffers->arena;
    const size_t bytes = arena->bytes;
    const struct cuda_driver *driver = &buffers->device->driver;
    unsigned char *expected = aligned_alloc(ARENA_ALIGNMENT_BYTES, bytes);
    unsigned char *image = aligned_alloc(ARENA_ALIGNMENT_BYTES, bytes);
    unsigned char *got = aligned_alloc(ARENA_ALIGNMENT_BYTES, bytes);
    enum verdict verdict = VERDICT_ERROR;
    if (!expected || !image || !got || !bench_make_whole(arena, image, expected)) {
        finding_set(ret, VERDICT_ERROR, "", "making the case again: no host memory");
    } else {
        if (before == BENCH_CONTENT_FLIPPED)
            arena_flip_window(arena, 0, bytes, image);
        memset(got, 0x3c, bytes); /* a lost download must not find the right bytes */
        cu_result error = driver->memcpy_dtoh_async(got, buffer, bytes, stream);
        const cu_result waited = driver->stream_synchronize(stream);
        error = error ? error : waited;
        /* A copy is bytes of the image, then poison. */
        const size_t copied = content == BENCH_CONTENT_COPIED ? buffers->copy_bytes : bytes;
        size_t right = 0;
        while (right < bytes && got[right] == (right < copied ? image[right] : BENCH_POISON))
            right++;
        if (error != CU_SUCCESS)
            finding_set(ret, VERDICT_ERROR, "", "downloading the result: %s",
                        device_error(buffers->device, error));
        else if (content == BENCH_CONTENT_RIGHT)
            verdict = compare_arena(arena, image, expected, got, ret);
        else
            verdict = right == bytes ? VERDICT_PASS : VERDICT_FAIL;
        if (verdict == VERDICT_FAIL && content != BENCH_CONTENT_RIGHT)
            finding_set(ret, VERDICT_FAIL,
                        right < copied ? "bandwidth.bits.last" : "bandwidth.bits.digest",
                        "from byte %zu on", right);
    }
    free(expected);
    free(image);
    free(got);
    return verdict;
}
