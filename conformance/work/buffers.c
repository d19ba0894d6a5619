/* Making, restoring and comparing the buffers of a timing (buffers.h). Clauses:
 * bandwidth.bits.first, bandwidth.regime.cold. */
#include "conformance/work/buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/work/windows.h"
#include "conformance/work/compare.h"
#include "conformance/work/stream_window.h"

enum {
    STALE_BYTE = 0xa5,
    PIECES_MAX = 32, /* that a download is compared in */
    PIECE_BYTES_HOST = 4096,
    PIECE_BYTES = 128 << 20,
    SLACK = 64 /* a part of the host memory that is asked for on top */
};

void bench_buffers_free(struct bench_buffers *buffers)
{
    const struct cuda_driver *driver = &buffers->device->driver;
    if (buffers->memory)
        driver->mem_free(buffers->memory);
    if (buffers->image)
        driver->mem_free_host(buffers->image);
    if (buffers->got)
        driver->mem_free_host(buffers->got);
    free(buffers->expected);
    *buffers = (struct bench_buffers){.device = buffers->device};
}

/* Pinning gigabytes takes seconds: with some more, cases that are hardly larger need no new ones.
 */
static cu_result reserve_host(struct bench_buffers *buffers, size_t least)
{
    if (least <= buffers->host_bytes)
        return CU_SUCCESS;
    size_t bytes = (least + least / SLACK) / ARENA_ALIGNMENT_BYTES * ARENA_ALIGNMENT_BYTES;
    bytes = bytes < least ? least : bytes;
    const struct cuda_driver *driver = &buffers->device->driver;
    void *image = NULL, *got = NULL;
    bench_buffers_free(buffers);
    cu_result error = driver->mem_host_alloc(&image, bytes, 0);
    if (error == CU_SUCCESS)
        error = driver->mem_host_alloc(&got, bytes, 0);
    buffers->image = image;
    buffers->got = got;
    buffers->expected = aligned_alloc(ARENA_ALIGNMENT_BYTES, bytes);
    if (error == CU_SUCCESS && buffers->expected == NULL)
        error = CU_ERROR_OUT_OF_MEMORY;
    if (error != CU_SUCCESS)
        bench_buffers_free(buffers);
    else
        buffers->host_bytes = bytes;
    return error;
}

static cu_result reserve_device(struct bench_buffers *buffers, size_t bytes)
{
    if (bytes <= buffers->device_bytes)
        return CU_SUCCESS;
    const struct cuda_driver *driver = &buffers->device->driver;
    if (buffers->memory)
        driver->mem_free(buffers->memory);
    buffers->memory = 0;
    buffers->device_bytes = 0;
    cu_result error = device_take(buffers->device, bytes, &buffers->memory);
    if (error == CU_SUCCESS)
        buffers->device_bytes = bytes;
    return error;
}

static bool poison_window(void *context, size_t begin, size_t end)
{
    struct bench_buffers *buffers = context;
    arena_poison_window(&buffers->arena, begin, end, buffers->expected + begin,
                        buffers->image + begin);
    return true;
}

struct making {
    struct bench_buffers *buffers;
    struct stream_source source;
};

static bool make_window(void *context, size_t begin, size_t end)
{
    const struct making *making = context;
    unsigned char *expected = making->buffers->expected;
    return stream_expect(&making->source, 0, begin, end, expected + begin) &&
           poison_window(making->buffers, begin, end);
}

/* arena_expect and arena_poison, by several threads. False without memory. */
static bool make_case(struct bench_buffers *buffers)
{
    if (buffers->test_case.algorithm->contracted_axis >= 0) { /* a product has its own threads */
        arena_expect(&buffers->arena, 0, buffers->expected);
        return windows_each(buffers->arena.bytes, poison_window, buffers);
    }
    struct making making = {buffers, stream_source_open(&buffers->arena)};
    bool made = windows_each(buffers->arena.bytes, make_window, &making);
    stream_source_close(&making.source);
    return made;
}

int bench_buffers_pairs(const struct bench_buffers *buffers)
{
    return buffers->count > 1 ? buffers->count / 2 : 1;
}

/* What one copy has written no other reads soon, as it would find it in the cache. */
int bench_buffers_pair(const struct bench_buffers *buffers, uint64_t turn, cu_address *ret_source,
                       cu_address *ret_target)
{
    int pairs = bench_buffers_pairs(buffers), source = (int)(turn % (uint64_t)pairs);
    int target = buffers->count > 1 ? pairs + source : 0;
    *ret_source = buffers->count > 1 ? buffers->buffers[source] : buffers->pristine;
    *ret_target = buffers->buffers[target];
    return target;
}

/* Enough for launches, which touch the whole of a buffer, and for copies, which touch the beginning
 * of two. */
static int buffers_wanted(uint64_t cold_bytes, size_t arena_bytes, size_t copy_bytes)
{
    const uint64_t most = BENCH_BUFFERS_MAX / 2;
    uint64_t launches = arena_bytes ? (cold_bytes + arena_bytes - 1) / arena_bytes : 1;
    uint64_t pairs = copy_bytes ? (cold_bytes + 2 * copy_bytes - 1) / (2 * copy_bytes) : 1;
    pairs = pairs < (launches + 1) / 2 ? (launches + 1) / 2 : pairs;
    return launches <= 1 && pairs <= 1 ? 1 : (int)(2 * (pairs < most ? pairs : most));
}

cu_result bench_buffers_hold(struct bench_buffers *buffers, const char *text,
                             const struct fuzz_case *test_case, uint64_t cold_bytes,
                             size_t copy_bytes, const char **ret_doing)
{
    if (strcmp(buffers->text, text) == 0 && buffers->cold_bytes == cold_bytes)
        return CU_SUCCESS;
    buffers->text[0] = 0;
    buffers->test_case = *test_case;
    struct arena arena = arena_layout(&buffers->test_case);
    size_t count = (size_t)buffers_wanted(cold_bytes, arena.bytes, copy_bytes);
    *ret_doing = "taking host memory for the case";
    cu_result error = reserve_host(buffers, arena.bytes);
    if (error == CU_SUCCESS) {
        *ret_doing = "taking memory for the case";
        error = reserve_device(buffers, arena.bytes * (count + 1));
    }
    if (error != CU_SUCCESS)
        return error;
    buffers->test_case = *test_case; /* host memory was allocated again with everything else */
    buffers->arena = arena;
    buffers->arena.test_case = &buffers->test_case;
    *ret_doing = "making the case";
    if (!make_case(buffers))
        return CU_ERROR_OUT_OF_MEMORY;
    *ret_doing = "uploading the case";
    buffers->pristine = buffers->memory;
    buffers->count = (int)count;
    for (int index = 0; index < buffers->count; index++)
        buffers->buffers[index] = buffers->memory + ((size_t)index + 1) * arena.bytes;
    error = buffers->device->driver.memcpy_htod_async(buffers->pristine, buffers->image,
                                                      arena.bytes, buffers->device->stream);
    if (error == CU_SUCCESS)
        error = buffers->device->driver.stream_synchronize(buffers->device->stream);
    if (error != CU_SUCCESS)
        return error;
    buffers->cold_bytes = cold_bytes;
    snprintf(buffers->text, sizeof buffers->text, "%s", text);
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

struct pair {
    const unsigned char *left, *right;
};

static bool equal_window(void *context, size_t begin, size_t end)
{
    const struct pair *pair = context;
    return memcmp(pair->left + begin, pair->right + begin, end - begin) == 0;
}

static bool equal_bytes(const unsigned char *left, const unsigned char *right, size_t bytes)
{
    struct pair pair = {left, right};
    return windows_each(bytes, equal_window, &pair);
}

static bool clear_window(void *context, size_t begin, size_t end)
{
    memset((unsigned char *)context + begin, STALE_BYTE, end - begin);
    return true;
}

/* Pieces are worth their threads; on the emulation, whose cases are small, there are some all the
 * same. */
static size_t piece_bytes(const struct bench_buffers *buffers, size_t bytes)
{
    bool is_emulated = device_kind(&buffers->device->info)->is_emulated;
    size_t piece = is_emulated ? PIECE_BYTES_HOST : PIECE_BYTES;
    while (bytes / piece >= PIECES_MAX)
        piece *= 2;
    return piece;
}

static size_t smaller(size_t left, size_t right)
{
    return left < right ? left : right;
}

static cu_result enqueue_pieces(const struct bench_buffers *buffers, int index, size_t bytes,
                                cu_stream stream, cu_event *events)
{
    const struct cuda_driver *driver = &buffers->device->driver;
    cu_result error = CU_SUCCESS;
    size_t begin = 0, step = piece_bytes(buffers, bytes);
    for (int piece = 0; error == CU_SUCCESS && begin < bytes; piece++) {
        size_t end = smaller(begin + step, bytes);
        error = driver->event_create(&events[piece], 0);
        if (error == CU_SUCCESS)
            error = driver->memcpy_dtoh_async(buffers->got + begin, buffers->buffers[index] + begin,
                                              end - begin, stream);
        if (error == CU_SUCCESS)
            error = driver->event_record(events[piece], stream);
        begin = end;
    }
    return error;
}

/* Compares the pieces as they come. What was right is made stale at once, while the next pieces are
 * under way: a download that is lost without a word must not find the last one's bytes. Returns
 * where the first piece that differs begins, `bytes` where none does. */
static size_t compare_pieces(struct bench_buffers *buffers, size_t bytes,
                             const unsigned char *wanted, const cu_event *events,
                             cu_result *ret_error)
{
    size_t begin = 0, step = piece_bytes(buffers, bytes);
    for (int piece = 0; begin < bytes; piece++) {
        size_t end = smaller(begin + step, bytes);
        *ret_error = buffers->device->driver.event_synchronize(events[piece]);
        if (*ret_error != CU_SUCCESS ||
            !equal_bytes(wanted + begin, buffers->got + begin, end - begin))
            return begin;
        windows_each(end - begin, clear_window, buffers->got + begin);
        begin = end;
    }
    return begin;
}

/* Downloads the first bytes of a buffer; *ret_equal: they are those wanted. Where they are not,
 * they lie in `got` afterwards. */
static cu_result fetch(struct bench_buffers *buffers, int index, size_t bytes,
                       const unsigned char *wanted, cu_stream stream, bool *ret_equal)
{
    const struct cuda_driver *driver = &buffers->device->driver;
    cu_event events[PIECES_MAX] = {NULL};
    size_t equal = 0;
    if (!buffers->got_is_stale)
        windows_each(buffers->host_bytes, clear_window, buffers->got);
    cu_result error = enqueue_pieces(buffers, index, bytes, stream, events);
    if (error == CU_SUCCESS)
        equal = compare_pieces(buffers, bytes, wanted, events, &error);
    cu_result waited = driver->stream_synchronize(stream);
    for (int piece = 0; piece < PIECES_MAX && events[piece]; piece++)
        driver->event_destroy(events[piece]);
    error = error == CU_SUCCESS ? waited : error;
    *ret_equal = equal == bytes;
    buffers->got_is_stale = error == CU_SUCCESS && *ret_equal;
    if (!*ret_equal)
        memcpy(buffers->got, wanted, equal); /* as it was */
    return error;
}

enum verdict bench_buffers_compare(struct bench_buffers *buffers, int index, cu_stream stream,
                                   struct finding *ret)
{
    bool equal = false;
    cu_result error =
        fetch(buffers, index, buffers->arena.bytes, buffers->expected, stream, &equal);
    if (error != CU_SUCCESS) {
        *ret = (struct finding){.verdict = VERDICT_ERROR, .operand = -1};
        snprintf(ret->note, sizeof ret->note, "downloading the result: %s",
                 device_error(buffers->device, error));
        return VERDICT_ERROR;
    }
    if (equal)
        return VERDICT_PASS;
    return compare_arena(&buffers->arena, buffers->image, buffers->expected, buffers->got, ret);
}

bool bench_buffers_copied(struct bench_buffers *buffers, int index, size_t bytes, cu_stream stream)
{
    bool equal = false;
    return fetch(buffers, index, bytes, buffers->image, stream, &equal) == CU_SUCCESS && equal;
}
