/* Where a buffer of a timing is wrong (buffers.h): what its digest cannot say. The case is made
 * again, whole, since none of it was kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/work/buffers.h"
#include "conformance/work/compare.h"

/* The case on the host, and what was downloaded. */
struct whole {
    unsigned char *expected, *image, *got;
};

static void free_whole(struct whole *whole)
{
    free(whole->expected);
    free(whole->image);
    free(whole->got);
}

static bool make_whole(const struct bench_buffers *buffers, enum bench_content before,
                       struct whole *ret)
{
    const size_t bytes = buffers->arena.bytes;
    *ret = (struct whole){.expected = aligned_alloc(ARENA_ALIGNMENT_BYTES, bytes),
                          .image = aligned_alloc(ARENA_ALIGNMENT_BYTES, bytes),
                          .got = aligned_alloc(ARENA_ALIGNMENT_BYTES, bytes)};
    if (!ret->expected || !ret->image || !ret->got ||
        !bench_make_whole(&buffers->arena, ret->image, ret->expected))
        return false;
    if (before == BENCH_CONTENT_FLIPPED)
        arena_flip_window(&buffers->arena, 0, bytes, ret->image);
    return true;
}

/* A download that is lost without a word must not find the right bytes. */
static cu_result download(const struct bench_buffers *buffers, cu_address buffer, cu_stream stream,
                          unsigned char *ret)
{
    const struct cuda_driver *driver = &buffers->device->driver;
    memset(ret, 0x3c, buffers->arena.bytes);
    cu_result error = driver->memcpy_dtoh_async(ret, buffer, buffers->arena.bytes, stream);
    cu_result waited = driver->stream_synchronize(stream);
    return error == CU_SUCCESS ? waited : error;
}

/* What is to be bytes of the image, and after a copy the stain. */
static enum verdict compare_copy(const struct bench_buffers *buffers, const struct whole *whole,
                                 enum bench_content content, struct finding *ret)
{
    const size_t bytes = buffers->arena.bytes;
    size_t copied = content == BENCH_CONTENT_COPIED ? buffers->copy_bytes : bytes, index = 0;
    while (index < bytes &&
           whole->got[index] == (index < copied ? whole->image[index] : BENCH_STAIN))
        index++;
    if (index == bytes)
        return VERDICT_PASS;
    *ret = (struct finding){.verdict = VERDICT_FAIL, .operand = -1};
    snprintf(ret->clause, sizeof ret->clause, "%s",
             index < copied ? "bandwidth.bits.last" : "bandwidth.bits.digest");
    snprintf(ret->note, sizeof ret->note, "from byte %zu on", index);
    return VERDICT_FAIL;
}

static enum verdict set_error(struct finding *ret, const char *doing, const char *why)
{
    *ret = (struct finding){.verdict = VERDICT_ERROR, .operand = -1};
    snprintf(ret->note, sizeof ret->note, "%s: %s", doing, why);
    return VERDICT_ERROR;
}

enum verdict bench_buffers_find(const struct bench_buffers *buffers, cu_address buffer,
                                enum bench_content content, enum bench_content before,
                                cu_stream stream, struct finding *ret)
{
    struct whole whole;
    enum verdict verdict;
    cu_result error = CU_SUCCESS;
    if (!make_whole(buffers, before, &whole))
        verdict = set_error(ret, "making the case again", "no host memory");
    else if ((error = download(buffers, buffer, stream, whole.got)) != CU_SUCCESS)
        verdict = set_error(ret, "downloading the result", device_error(buffers->device, error));
    else if (content == BENCH_CONTENT_RIGHT)
        verdict = compare_arena(&buffers->arena, whole.image, whole.expected, whole.got, ret);
    else
        verdict = compare_copy(buffers, &whole, content, ret);
    free_whole(&whole);
    return verdict;
}
