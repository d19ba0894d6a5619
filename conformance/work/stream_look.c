/* What a streamed check looks at on the device besides its operands (stream_internal.h). What comes
 * back lies in a chunk, which is compared already. Clauses: memory.outside.untouched,
 * memory.outside.looked_at. */
#include <string.h>

#include "conformance/work/checker_internal.h"
#include "conformance/work/stream_internal.h"

struct harness_range stream_pristine_range(const struct stream *stream)
{
    return (struct harness_range){.address = stream->pristine, .bytes = stream->arena->bytes};
}

bool stream_look(struct stream *stream, const struct harness_range *range,
                 enum harness_state *ret_state, struct harness_change *ret_change,
                 struct check_result *result)
{
    struct checker *checker = stream->checker;
    void *pinned = stream->chunks[0];
    struct harness_report report;
    memset(pinned, STREAM_STALE_BYTE, sizeof report);
    cu_result error =
        harness_look(&checker->harness, range, stream->memory, pinned, checker->stream);
    if (error == CU_SUCCESS)
        error = checker->device->driver.stream_synchronize(checker->stream);
    memcpy(&report, pinned, sizeof report);
    *ret_state = harness_state(range, &report);
    if (error == CU_SUCCESS && *ret_state == HARNESS_CHANGED)
        error =
            harness_find(&checker->harness, range, &report, pinned, ret_change, checker->stream);
    if (error != CU_SUCCESS)
        checker_driver_error(result, checker, error, checker_reading_change);
    return error == CU_SUCCESS;
}

bool stream_digest_pristine(struct stream *stream, struct harness_report *ret,
                            struct check_result *result)
{
    struct checker *checker = stream->checker;
    const struct cuda_driver *driver = &checker->device->driver;
    const struct harness_range range = stream_pristine_range(stream);
    void *pinned = stream->chunks[0];
    memset(pinned, STREAM_STALE_BYTE, sizeof *ret);
    cu_result error = driver->memset_d8_async(stream->memory, 0, sizeof *ret, checker->stream);
    if (error == CU_SUCCESS)
        error = harness_digest(&checker->harness, &range, stream->memory, checker->stream);
    if (error == CU_SUCCESS)
        error = driver->memcpy_dtoh_async(pinned, stream->memory, sizeof *ret, checker->stream);
    if (error == CU_SUCCESS)
        error = driver->stream_synchronize(checker->stream);
    memcpy(ret, pinned, sizeof *ret);
    if (error != CU_SUCCESS)
        checker_driver_error(result, checker, error, "taking the digest of the case's copy");
    return error == CU_SUCCESS;
}
