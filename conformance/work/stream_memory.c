/* The memory of a streamed case (stream_internal.h): what it cannot do without is a reason to skip;
 * what only makes it faster is done without. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "conformance/work/checker_internal.h"
#include "conformance/work/available_memory.h"
#include "conformance/work/stream.h"
#include "conformance/work/stream_internal.h"

/* What the device must have left besides the arena. */
static const size_t device_reserve_bytes = (size_t)256 << 20;

/* So large a page costs one fault where small ones cost hundreds. */
static const size_t large_page_bytes = (size_t)2 << 20;

static bool refuse(struct check_result *refusal, const char *note)
{
    checker_note(refusal, VERDICT_SKIP, "", note);
    return false;
}

/* Report, pattern, arena, pattern, as in a region. */
static void set_around(struct stream *stream, size_t margin)
{
    struct harness_range *around = &stream->around;
    around->hole_begin = margin;
    around->hole_end = margin + stream->arena->bytes;
    around->bytes = around->hole_end + margin;
    around->key = STREAM_PATTERN_KEY;
    around->address = stream->memory + HARNESS_REPORT_BYTES;
    stream->address = around->address + margin;
}

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
        return refuse(ret_refusal, note);
    }
    if (error == CU_SUCCESS)
        set_around(stream, margin);
    if (error == CU_SUCCESS && free_bytes >= 2 * needed + device_reserve_bytes)
        error = device_take(stream->checker->device, needed, &stream->pristine);
    if (error != CU_SUCCESS && error != CU_ERROR_OUT_OF_MEMORY) {
        checker_driver_error(ret_refusal, stream->checker, error, "taking memory for the case");
        return false;
    }
    return true;
}

/* This checker's part of what the host can spare, half of what is free: the workers of other GPUs
 * see the same memory free, and take theirs at the same moment (runner.stream.share). */
static size_t share_bytes(const struct checker *checker)
{
    return (available_memory_bytes() + checker->held_bytes) / 2 / (size_t)checker->sharers;
}

/* The checker's memory for whole arenas, which grows from case to case: pages that were touched
 * once cost no fault again. NULL where the host cannot spare it. */
static unsigned char *hold(struct checker *checker, size_t bytes)
{
    if (bytes <= checker->held_bytes)
        return checker->held;
    if (bytes > checker->held_bytes_max || bytes > share_bytes(checker))
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
    stream->windows = calloc(STREAM_CHUNK_WINDOWS, sizeof *stream->windows);
    size_t images_bytes = (size_t)(stream->team ? team_threads(stream->team) : 1);
    images_bytes *= stream->window_bytes;
    stream->images = malloc(images_bytes);
    stream->expected = hold(checker, stream->arena->bytes);
    stream->holds_all = stream->expected != NULL;
    if (!stream->holds_all)
        stream->expected = aligned_alloc(ARENA_ALIGNMENT_BYTES, STREAM_CHUNKS * chunk_bytes);
    cu_result error = CU_SUCCESS;
    for (int index = 0; index < STREAM_CHUNKS && error == CU_SUCCESS; index++) {
        void *chunk = NULL;
        error = checker->device->driver.mem_host_alloc(&chunk, chunk_bytes, 0);
        stream->chunks[index] = chunk;
    }
    if (error != CU_SUCCESS && error != CU_ERROR_OUT_OF_MEMORY) {
        checker_driver_error(ret_refusal, checker, error, "taking memory to stream the case");
        return false;
    }
    if (error == CU_SUCCESS && stream->team && stream->windows && stream->images &&
        stream->expected)
        return true;
    char note[FINDING_NOTE_BYTES];
    snprintf(note, sizeof note, "the host lacks the %zu bytes of memory that streaming takes",
             2 * STREAM_CHUNKS * chunk_bytes + images_bytes);
    return refuse(ret_refusal, note);
}

bool stream_open(struct stream *ret, struct checker *checker, const struct arena *arena,
                 struct check_result *ret_refusal)
{
    *ret = (struct stream){.checker = checker,
                           .arena = arena,
                           .window_bytes = checker->stream_chunk_bytes / STREAM_CHUNK_WINDOWS};
    if (device_kind(&checker->device->info)->is_emulated && arena->bytes >= STREAM_FROM_BYTES) {
        char note[FINDING_NOTE_BYTES];
        snprintf(note, sizeof note,
                 "a case of %zu bytes would take hours on the host device; it is for a GPU",
                 arena->bytes);
        return refuse(ret_refusal, note);
    }
    if (!take_device_memory(ret, ret_refusal) || !take_host_memory(ret, ret_refusal))
        return false;
    ret->source = stream_source_open(arena);
    return true;
}

void stream_close(struct stream *stream)
{
    const struct cuda_driver *driver = &stream->checker->device->driver;
    if (stream->memory)
        driver->mem_free(stream->memory);
    if (stream->pristine)
        driver->mem_free(stream->pristine);
    for (int index = 0; index < STREAM_CHUNKS; index++)
        if (stream->chunks[index])
            driver->mem_free_host(stream->chunks[index]);
    stream_source_close(&stream->source);
    team_close(stream->team);
    if (!stream->holds_all)
        free(stream->expected);
    free(stream->images);
    free(stream->windows);
}
