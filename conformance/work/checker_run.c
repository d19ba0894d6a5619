/* The one way through (checker.h): in one piece, or streamed. */
#include "conformance/work/checker.h"
#include "conformance/work/checker_internal.h"
#include "conformance/work/region.h"
#include "conformance/work/stream.h"
#include "conformance/work/windows.h"

cu_result checker_open(struct checker *ret, struct device *device)
{
    struct checker checker = {.device = device,
                              .stream_from_bytes = STREAM_FROM_BYTES,
                              .stream_chunk_bytes = STREAM_CHUNK_BYTES,
                              .stream_threads = team_cores(),
                              .held_bytes_max = SIZE_MAX,
                              .sharers = 1};
    cu_result error = device->driver.ctx_set_current(device->context);
    if (error == CU_SUCCESS)
        error = device->driver.stream_create(&checker.stream, 1);
    if (error != CU_SUCCESS)
        return error;
    *ret = checker;
    region_init(&ret->region, device, &ret->harness);
    region_init(&ret->edge, device, &ret->harness);
    ret->has_edges = true;
    return CU_SUCCESS;
}

void checker_close(struct checker *checker)
{
    batch_release(checker);
    textures_release(&checker->textures, &checker->device->driver);
    if (checker->sms)
        checker->device->driver.mem_free_host(checker->sms);
    stream_release(checker);
    checker->device->driver.stream_destroy(checker->stream);
}

/* Where a check's result goes, by way of what is known of the device. */
struct judged {
    const struct checker *checker;
    const struct check_list *list;
};

/* On a device that gave memory at a wrong address nothing passes: what was right was so by chance.
 */
static void judge(void *context, int index, const struct check_result *result)
{
    const struct judged *judged = context;
    struct reason reason;
    struct check_result failed = *result;
    if (result->verdict == VERDICT_PASS && device_misaligned(judged->checker->device, &reason)) {
        checker_note(&failed, VERDICT_FAIL, "memory.alignment.allocations", reason.text);
        result = &failed;
    }
    judged->list->sink(judged->list->context, index, result);
}

enum check_end checker_run(struct checker *checker, const struct fuzz_case *test_case,
                           const struct check_list *list)
{
    struct arena arena = checker->has_edges ? edge_layout(test_case, REGION_EDGE_SPARE_BYTES)
                                            : arena_layout(test_case);
    struct judged judged = {checker, list};
    struct check_list judging = *list;
    judging.sink = judge;
    judging.context = &judged;
    arena.is_canonical = device_kind(&checker->device->info)->has_one_nan;
    checker->reads.watched = false; /* batch_run decides; what is streamed is for GPUs */
    return arena.bytes >= checker->stream_from_bytes ? stream_run(checker, &arena, &judging)
                                                     : batch_run(checker, &arena, &judging);
}
