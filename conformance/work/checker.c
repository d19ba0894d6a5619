/* The one way through (checker.h): in one piece, or streamed.
 *
 * The checks of one case, as many at once as there is room for: one upload, a scrub and a launch
 * each, one look around and one download (region.h). Where something is wrong in a batch its checks
 * are run again one by one, since who wrote outside its operands may have harmed another's. */
#include "conformance/work/checker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/process.h"
#include "conformance/base/text.h"
#include "conformance/work/compare.h"
#include "conformance/work/stream.h"
#include "conformance/work/windows.h"

/* One check while its batch is under way. */
struct slot {
    int index; /* in the case's list */
    bool launched;
    struct check_result result;
};

struct batch {
    struct checker *checker;
    struct region *region;
    const struct arena *arena;
    const struct subject *checks;
    struct region_batch place;
    struct slot slots[REGION_SLOTS_MAX];
    struct callable callable; /* the last; one with an operand in host memory is the only one */
    enum harness_state around;
};

/* Enqueues all of the batch: the upload, the launches, the download. False if a call of the harness
 * failed: the slots say so. */
static bool enqueue(struct batch *batch)
{
    struct checker *checker = batch->checker;
    const char *doing = NULL;
    const int width = region_width(batch->region, &batch->place), count = batch->place.count;
    cu_result error = CU_SUCCESS;
    for (int first = 0; error == CU_SUCCESS && first < count; first += width) {
        doing = "uploading the case";
        error = region_upload(batch->region, &batch->place, first);
        for (int number = first; error == CU_SUCCESS && number < first + width; number++) {
            struct slot *slot = &batch->slots[number];
            struct callable *callable = &batch->callable;
            const cu_address address = region_arena(batch->region, &batch->place, number);
            slot->launched =
                checker_plan(checker, batch->arena, &slot->result.subject, &slot->result,
                             callable) &&
                callable->has_work &&
                checker_launch(checker, batch->arena, address, callable, &slot->result);
        }
        if (error != CU_SUCCESS)
            break;
        doing = "downloading the result";
        error = region_download(batch->region, &batch->place, first);
    }
    for (int number = 0; error != CU_SUCCESS && number < count; number++)
        if (batch->slots[number].result.verdict == VERDICT_INCONCLUSIVE)
            checker_driver_error(&batch->slots[number].result, checker, error, doing);
    return error == CU_SUCCESS;
}

static void settle(struct batch *batch, int number)
{
    struct checker *checker = batch->checker;
    struct slot *slot = &batch->slots[number];
    struct check_result *result = &slot->result;
    if (result->verdict != VERDICT_INCONCLUSIVE)
        return;
    unsigned char *got = region_got(batch->region, &batch->place, number);
    struct finding outside;
    const bool is_left =
        !slot->launched || callable_take(&batch->callable, 0, batch->arena->bytes, got, &outside);
    if (!is_left && outside.verdict != VERDICT_FAIL) {
        result->finding = outside;
        result->verdict = outside.verdict;
        return;
    }
    const unsigned char *image = region_image(batch->region, &batch->place, 0);
    result->verdict = compare_arena(batch->arena, image, checker->expected, got, &result->finding);
    if (result->verdict == VERDICT_PASS && !slot->launched)
        result->verdict = VERDICT_EMPTY;
    if (result->verdict == VERDICT_PASS && !is_left) {
        result->finding = outside;
        result->verdict = VERDICT_FAIL;
    }
    /* The host device's launches end one by one, so the last one's reads are this slot's. */
    char why[READS_TEXT_BYTES];
    if (result->verdict == VERDICT_PASS && reads_strayed(&checker->reads, batch->arena, why))
        checker_note(result, VERDICT_FAIL, "memory.reads.inside", why);
    if (result->verdict == VERDICT_PASS)
        digest_output(batch->arena, got, result->digest);
}

/* Runs the slots to their results; false when the context is lost and they have none. */
static bool run_batch(struct batch *batch, bool careful)
{
    struct checker *checker = batch->checker;
    const struct arena *arena = batch->arena;
    double since = clock_now_s();
    batch->around = HARNESS_INTACT;
    bool enqueued = enqueue(batch);
    cu_result error = checker->device->driver.stream_synchronize(checker->stream);
    checker_account(checker, STAGE_DRIVE, &since);
    if (error != CU_SUCCESS) {
        for (int number = 0; careful && number < batch->place.count; number++) {
            struct check_result *result = &batch->slots[number].result;
            struct finding *finding = &result->finding;
            int index = 0;
            checker_lost(result, checker, error, batch->slots[number].launched);
            if (arena->edge == ARENA_EDGE_NONE || result->verdict != VERDICT_CRASH)
                continue;
            /* A GPU says of a fault neither where it was nor what of. */
            while (arena->operands[index].from != arena->operands[index].begin &&
                   arena->operands[index].to != arena->operands[index].end)
                index++;
            text_add(finding->note, sizeof finding->note, "; there is no memory %s operand %s",
                     arena->edge == ARENA_EDGE_END ? "after" : "before",
                     arena->test_case->algorithm->operands[index].name);
        }
        return careful;
    }
    /* Batches of a case begin at one address, and the last may be shorter. */
    const cu_address end = region_end(batch->region, &batch->place);
    checker->touched.begin = region_arena(batch->region, &batch->place, 0);
    checker->touched.end = end > checker->touched.end ? end : checker->touched.end;
    for (int number = 0; enqueued && number < batch->place.count; number++)
        settle(batch, number);
    if (enqueued)
        batch->around = region_look(batch->region, &batch->place);
    checker_account(checker, STAGE_COMPARE, &since);
    return true;
}

/* A batch of one: what is around it is its check's. */
static void judge_around(struct batch *batch)
{
    struct checker *checker = batch->checker;
    struct harness_change change;
    cu_result error = CU_SUCCESS;
    if (batch->around == HARNESS_CHANGED)
        error = region_find(batch->region, &batch->place, &change);
    if (error != CU_SUCCESS)
        checker_driver_error(&batch->slots[0].result, checker, error, checker_reading_change);
    else
        checker_judge_around(batch->arena, batch->around, &change, &batch->slots[0].result);
}

static struct batch make_batch(struct checker *checker, const struct arena *arena,
                               const struct subject *checks, int from, int count)
{
    struct batch batch = {.checker = checker,
                          .region =
                              arena->edge == ARENA_EDGE_NONE ? &checker->region : &checker->edge,
                          .arena = arena,
                          .checks = checks,
                          .place = {.arena_bytes = arena->bytes, .count = count}};
    for (int number = 0; number < count; number++)
        batch.slots[number] =
            (struct slot){.index = from + number,
                          .result = {.subject = checks[from + number],
                                     .verdict = VERDICT_INCONCLUSIVE /* until it is compared */}};
    return batch;
}

static bool has_verdict(const struct batch *batch, enum verdict verdict)
{
    for (int number = 0; number < batch->place.count; number++)
        if (batch->slots[number].result.verdict == verdict)
            return true;
    return false;
}

/* Runs each check of a batch by itself. A failure then is one. If one of them writes outside, the
 * others are what they were found to be alone; if none does, what was found together holds, and a
 * change that nobody makes alone leaves every other check of the batch undecided. False as
 * run_batch, and where the harness could not run or look at a check alone. */
static bool sort_out(struct batch *batch)
{
    struct check_result alone[REGION_SLOTS_MAX];
    bool found = false;
    for (int number = 0; number < batch->place.count; number++) {
        struct batch single =
            make_batch(batch->checker, batch->arena, batch->checks, batch->slots[number].index, 1);
        if (!run_batch(&single, false))
            return false;
        found = found || single.around == HARNESS_CHANGED;
        judge_around(&single);
        if (has_verdict(&single, VERDICT_ERROR))
            return false;
        alone[number] = single.slots[0].result;
    }
    for (int number = 0; number < batch->place.count; number++) {
        struct check_result *result = &batch->slots[number].result;
        if (found || verdict_is_failure(alone[number].verdict))
            *result = alone[number];
        else if (batch->around != HARNESS_INTACT && result->verdict == VERDICT_PASS)
            checker_note(result, VERDICT_INCONCLUSIVE, "",
                         batch->around == HARNESS_NOT_LOOKED_AT
                             ? checker_not_looked_at
                             : "memory outside the operands was changed, but no check of the batch "
                               "changes it when run alone");
    }
    return true;
}

static enum check_end batch_run(struct checker *checker, const struct arena *arena,
                                const struct check_list *list)
{
    struct check_result result = {.verdict = VERDICT_SKIP};
    struct region *region = arena->edge == ARENA_EDGE_NONE ? &checker->region : &checker->edge;
    checker->touched = (struct checker_touched){0, 0};
    if (!checker_open_harness(checker, &result)) {
        const struct check_result refusal = result;
        for (int index = 0; index < list->count; index++) {
            checker_refuse(checker, arena, &list->checks[index], &refusal, &result);
            checker_sink(checker, list, index, &result);
        }
        return CHECK_END_DONE;
    }
    if (checker->expected_bytes < arena->bytes) {
        free(checker->expected);
        checker->expected = aligned_alloc(ARENA_ALIGNMENT_BYTES, arena->bytes);
        checker->expected_bytes = checker->expected ? arena->bytes : 0;
    }
    cu_result error = CU_ERROR_OUT_OF_MEMORY;
    if (checker->expected && arena->edge == ARENA_EDGE_NONE)
        error = region_reserve(region, arena->bytes);
    else if (checker->expected)
        error = region_reserve_edge(region, arena->bytes, arena->edge);
    if (error != CU_SUCCESS) {
        /* No memory is a reason to skip; any other error leaves nothing to run with, and another
         * thread's kernel may have done it: each is tried alone. */
        const bool lost = error != CU_ERROR_OUT_OF_MEMORY;
        const int tried_alone = list->careful ? 1 : 0;
        const int count = lost ? tried_alone : list->count;
        for (int index = 0; index < count; index++) {
            result = (struct check_result){.subject = list->checks[index]};
            checker_driver_error(&result, checker, error, "taking memory for the case");
            checker_sink(checker, list, index, &result);
        }
        return lost ? CHECK_END_LOST : CHECK_END_DONE;
    }
    double since = clock_now_s();
    const struct region_batch first = {.arena_bytes = arena->bytes, .count = 1};
    arena_expect(arena, 0, checker->expected);
    arena_poison(arena, checker->expected, region_image(region, &first, 0));
    if (arena->edge == ARENA_EDGE_NONE) /* else a stray read faults, watched or not */
        reads_prepare(&checker->reads, &checker->device->driver, arena);
    checker_account(checker, STAGE_PREPARE, &since);
    /* Callables that cross the link share their holder's memory, and a case has no others then. */
    const bool one_by_one =
        list->careful || callable_kind_of(catalog_kernel(list->checks[0].kernel))->crosses_link;
    const int slots = one_by_one ? 1 : region_slots(region, arena->bytes);
    int count;
    for (int from = 0; from < list->count; from += count) {
        count = list->count - from < slots ? list->count - from : slots;
        struct batch batch = make_batch(checker, arena, list->checks, from, count);
        const bool is_run = run_batch(&batch, list->careful);
        /* A driver call of the harness failed: what the context is still good for is not known. */
        const bool is_lost = !is_run || has_verdict(&batch, VERDICT_ERROR);
        if (is_lost && (!is_run || !list->careful))
            return CHECK_END_LOST;
        if (count == 1)
            judge_around(&batch);
        else if ((has_verdict(&batch, VERDICT_FAIL) || batch.around != HARNESS_INTACT) &&
                 !sort_out(&batch))
            return CHECK_END_LOST;
        for (int number = 0; number < count; number++)
            checker_sink(checker, list, batch.slots[number].index, &batch.slots[number].result);
        /* After a crash the context is gone, and with it whatever this worker could still say. */
        if (list->careful &&
            (has_verdict(&batch, VERDICT_CRASH) || has_verdict(&batch, VERDICT_ERROR)))
            return CHECK_END_LOST;
    }
    return CHECK_END_DONE;
}

cu_result checker_open(struct checker *ret, struct device *device)
{
    struct checker checker = {.device = device,
                              .stream_from_bytes = STREAM_FROM_BYTES,
                              .stream_chunk_bytes = STREAM_CHUNK_BYTES,
                              .stream_threads = team_cores(),
                              .held_bytes_max = SIZE_MAX,
                              .sharers = 1};
    cu_result error = device->driver.ctx_set_current(device->context);
    error = error ? error : device->driver.stream_create(&checker.stream, 1);
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
    region_release(&checker->region);
    region_release(&checker->edge);
    reads_release(&checker->reads);
    free(checker->expected);
    callable_holder_release(&checker->holder, checker->device);
    if (checker->sms)
        checker->device->driver.mem_free_host(checker->sms);
    stream_release(checker);
    checker->device->driver.stream_destroy(checker->stream);
}

enum check_end checker_run(struct checker *checker, const struct fuzz_case *test_case,
                           const struct check_list *list)
{
    struct arena arena = checker->has_edges ? edge_layout(test_case, REGION_EDGE_SPARE_BYTES)
                                            : arena_layout(test_case);
    arena.is_canonical = device_kind(&checker->device->info)->has_one_nan;
    checker->reads.watched = false; /* batch_run decides; what is streamed is for GPUs */
    return arena.bytes >= checker->stream_from_bytes ? stream_run(checker, &arena, list)
                                                     : batch_run(checker, &arena, list);
}
