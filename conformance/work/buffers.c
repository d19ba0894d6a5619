/* Making and restoring the buffers of a timing (buffers.h). Clauses: bandwidth.bits.first,
 * bandwidth.regime.cold. */
#include "conformance/work/buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Kept from case to case. */
static cu_result reserve_host(struct bench_buffers *buffers, size_t least)
{
    size_t bytes = least < piece_bytes_max ? least : piece_bytes_max;
    if (bytes <= buffers->staging_bytes)
        return CU_SUCCESS;
    void *staging = NULL;
    bench_buffers_free(buffers);
    cu_result error = buffers->device->driver.mem_host_alloc(&staging, 2 * bytes, 0);
    buffers->staging = staging;
    buffers->staging_bytes = error == CU_SUCCESS ? bytes : 0;
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

/* One piece is made while the one before it is uploaded; a piece's memory is used again when its
 * upload has ended. */
static cu_result upload_case(struct bench_buffers *buffers, const char **ret_doing)
{
    const struct cuda_driver *driver = &buffers->device->driver;
    cu_stream stream = buffers->device->stream;
    const size_t bytes = buffers->arena.bytes;
    cu_event ended[2] = {NULL};
    if (buffers->team == NULL && bytes > piece_bytes_max) /* without one, windows have their own */
        buffers->team = team_open(team_cores());
    cu_result error = driver->event_create(&ended[0], 0);
    if (error == CU_SUCCESS)
        error = driver->event_create(&ended[1], 0);
    for (size_t begin = 0, turn = 0; error == CU_SUCCESS && begin < bytes; turn ^= 1) {
        const size_t left = bytes - begin;
        const size_t end = begin + (left < buffers->staging_bytes ? left : buffers->staging_bytes);
        unsigned char *image = buffers->staging + turn * buffers->staging_bytes;
        *ret_doing = "uploading the case";
        error = driver->event_synchronize(ended[turn]);
        if (error == CU_SUCCESS) {
            bench_make_image(buffers->team, &buffers->arena, begin, end, image);
            error =
                driver->memcpy_htod_async(buffers->pristine + begin, image, end - begin, stream);
        }
        if (error == CU_SUCCESS)
            error = driver->event_record(ended[turn], stream);
        begin = end;
    }
    cu_result waited = driver->stream_synchronize(stream);
    for (int turn = 0; turn < 2 && ended[turn]; turn++)
        driver->event_destroy(ended[turn]);
    return error == CU_SUCCESS ? waited : error;
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

/* How many pairs hold so many bytes: launches touch the whole of a buffer, and copies the beginning
 * of two. */
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
    const uint64_t memory_bytes = (uint64_t)buffers->device->info.memory_bytes;
    const uint64_t cold = pairs_of(rotation->cold_bytes, arena_bytes, copy_bytes);
    uint64_t round = pairs_of(rotation->round_bytes, arena_bytes, copy_bytes);
    buffers->rotates = cold > 1 || arena_bytes < rotation->cold_bytes;
    if (!buffers->rotates) {
        buffers->all = rotation->places > 1 ? (int)rotation->places : 1;
        buffers->least = buffers->all < PLACES_LEAST ? buffers->all : PLACES_LEAST;
        return;
    }
    if (round * 2 * arena_bytes > memory_bytes / 8)
        round = memory_bytes / 8 / (2 * arena_bytes);
    buffers->all = (int)(2 * (round > cold ? round : cold));
    buffers->least = (int)(2 * cold);
}

cu_result bench_buffers_hold(struct bench_buffers *buffers, const struct bench_job *job,
                             const struct fuzz_case *test_case, size_t copy_bytes,
                             const char **ret_doing)
{
    if (strcmp(buffers->text, job->text) == 0 &&
        memcmp(&buffers->rotation, &job->rotation, sizeof buffers->rotation) == 0) {
        memcpy(buffers->digests, job->digests, sizeof buffers->digests);
        buffers->count = buffers->least;
        return CU_SUCCESS;
    }
    buffers->text[0] = 0;
    buffers->test_case = *test_case;
    struct arena arena = arena_layout(&buffers->test_case);
    *ret_doing = "taking host memory for the case";
    cu_result error = reserve_host(buffers, arena.bytes);
    if (error == CU_SUCCESS) {
        *ret_doing = "taking memory for the case";
        count_buffers(buffers, &job->rotation, arena.bytes, copy_bytes);
        error = reserve_device(buffers, arena.bytes * ((size_t)buffers->all + 1));
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
    buffers->rotation = job->rotation;
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
