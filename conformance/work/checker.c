/* The one way through (checker.h). */
#include "conformance/work/checker.h"
#include "conformance/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conformance/work/checker_internal.h"
#include "conformance/work/compare.h"
#include "conformance/work/crew.h"
#include "conformance/work/digest.h"
#include "conformance/work/launch_plan.h"
#include "conformance/work/limits.h"
#include "conformance/work/stream.h"
#include "cuda/launch.h"
#include "fuzz/random.h"

enum { SLOTS_MAX = 32, STALE_BYTE = 0xa5 };
static const size_t slots_bytes_max = (size_t)64 << 20;

/* What is known of one check while its batch is under way. */
struct slot {
    int index; /* in the case's list */
    bool launched;
    struct check_result result;
};

struct batch {
    struct checker *checker;
    const struct arena *arena;
    const struct check *checks;
    struct slot slots[SLOTS_MAX];
    int count;
    bool reuses; /* the slots hold results of this very case */
};

cu_result checker_open(struct checker *ret, struct device *device)
{
    struct checker checker = {.device = device,
                              .stream_from_bytes = STREAM_FROM_BYTES,
                              .stream_chunk_bytes = STREAM_CHUNK_BYTES,
                              .stream_threads = crew_cores(),
                              .held_bytes_max = SIZE_MAX,
                              .sharers = 1};
    cu_result error = device->driver.ctx_set_current(device->context);
    if (error == CU_SUCCESS)
        error = device->driver.stream_create(&checker.stream, 1);
    if (error == CU_SUCCESS)
        *ret = checker;
    return error;
}

static void release_memory(struct checker *checker)
{
    const struct cuda_driver *driver = &checker->device->driver;
    if (checker->arena)
        driver->mem_free(checker->arena);
    if (checker->image)
        driver->mem_free_host(checker->image);
    if (checker->got)
        driver->mem_free_host(checker->got);
    free(checker->expected);
    checker->arena = 0;
    checker->image = checker->got = checker->expected = NULL;
    checker->capacity_bytes = 0;
    checker->slots = 0;
}

void checker_close(struct checker *checker)
{
    release_memory(checker);
    stream_release(checker);
    checker->device->driver.stream_destroy(checker->stream);
}

static size_t round_capacity(size_t bytes)
{
    size_t capacity = (size_t)256 << 10;
    while (capacity < bytes && capacity < (size_t)256 << 20)
        capacity *= 2;
    return capacity < bytes ? (bytes + 4095) / 4096 * 4096 : capacity;
}

/* Makes room for arenas of `bytes`; as many slots as a fixed budget holds. */
static cu_result reserve(struct checker *checker, size_t bytes)
{
    if (bytes <= checker->capacity_bytes)
        return CU_SUCCESS;
    release_memory(checker);
    const struct cuda_driver *driver = &checker->device->driver;
    size_t capacity = round_capacity(bytes);
    size_t fitting = slots_bytes_max / capacity;
    /* The emulation has finished a launch when the call returns: more slots would only cost cache.
     */
    int most = checker->device->info.ordinal == DEVICE_ORDINAL_HOST ? 1 : SLOTS_MAX;
    int slots = fitting < 1 ? 1 : fitting > (size_t)most ? most : (int)fitting;
    void *image = NULL, *got = NULL;
    cu_result error = driver->mem_alloc(&checker->arena, capacity * (size_t)slots);
    if (error == CU_SUCCESS)
        error = driver->mem_host_alloc(&image, capacity, 0);
    if (error == CU_SUCCESS)
        error = driver->mem_host_alloc(&got, capacity * (size_t)slots, 0);
    checker->image = image;
    checker->got = got;
    checker->expected = aligned_alloc(ARENA_ALIGNMENT_BYTES, capacity);
    if (error == CU_SUCCESS && checker->expected == NULL)
        error = CU_ERROR_OUT_OF_MEMORY;
    if (error != CU_SUCCESS) {
        release_memory(checker);
        return error;
    }
    checker->capacity_bytes = capacity;
    checker->slots = slots;
    return CU_SUCCESS;
}

void checker_note(struct check_result *result, enum verdict verdict, const char *clause,
                  const char *note)
{
    memset(&result->finding, 0, sizeof result->finding);
    result->verdict = result->finding.verdict = verdict;
    result->finding.operand = -1;
    snprintf(result->finding.clause, sizeof result->finding.clause, "%s", clause);
    snprintf(result->finding.note, sizeof result->finding.note, "%s", note);
}

void checker_driver_error(struct check_result *result, const struct checker *checker,
                          cu_result error, const char *doing)
{
    char note[FINDING_NOTE_BYTES];
    snprintf(note, sizeof note, "%s: %s", doing, device_error(checker->device, error));
    checker_note(result, error == CU_ERROR_OUT_OF_MEMORY ? VERDICT_SKIP : VERDICT_ERROR, "", note);
}

/* A unit that does not load says something of the stack, unless it was never made for this GPU. */
static void set_load_error(struct check_result *result, cu_result error, const char *why)
{
    bool not_made_for =
        error == CU_ERROR_NO_BINARY_FOR_GPU || error == CU_ERROR_UNSUPPORTED_PTX_VERSION;
    if (not_made_for || error == CU_ERROR_OUT_OF_MEMORY)
        checker_note(result, VERDICT_SKIP, "", why);
    else
        checker_note(result, VERDICT_CRASH, "verdicts.crash.reported", why);
}

bool checker_plan(struct checker *checker, const struct arena *arena, const struct check *check,
                  cu_address address, struct check_result *result, struct checker_launch *ret)
{
    const struct fuzz_case *test_case = arena->test_case;
    const struct kernel *kernel = catalog_kernel(check->kernel);
    uint64_t addresses[ALGORITHM_OPERANDS_MAX];
    struct checker_launch launch = {.function = NULL};
    const struct device_limits limits = limits_of_case(&checker->device->info.limits, test_case);
    for (int index = 0; index < arena->operand_count; index++)
        addresses[index] = address + arena->operands[index].begin;
    catalog_call(test_case->algorithm, test_case->axis, addresses, launch.words);
    char why[FINDING_NOTE_BYTES] = "";
    enum verdict planned = launch_plan(kernel, launch.words, &limits, &launch.plan, why);
    if (planned == VERDICT_SKIP) /* a kernel need not do with less than the device has */
        planned =
            launch_plan(kernel, launch.words, &checker->device->info.limits, &launch.plan, why);
    if (planned != VERDICT_PASS) {
        checker_note(result, planned, "", why);
        return false;
    }
    cu_result error = device_function(checker->device, kernel, (enum path)check->path,
                                      launch.plan.entry, &launch.function, why, sizeof why);
    if (error != CU_SUCCESS) {
        set_load_error(result, error, why);
        return false;
    }
    if (checker->harness.device == NULL) {
        error = harness_open(&checker->harness, checker->device, why, sizeof why);
        if (error != CU_SUCCESS) {
            set_load_error(result, error, why);
            return false;
        }
    }
    if (launch_is_empty(&launch.plan))
        launch.function = NULL;
    *ret = launch;
    return true;
}

bool checker_launch(struct checker *checker, const struct arena *arena,
                    struct checker_launch *launch, struct check_result *result)
{
    const struct launch *plan = &launch->plan;
    if (checker->device->driver.set_schedule_seed)
        checker->device->driver.set_schedule_seed(arena->test_case->seed);
    cu_result error = harness_scrub(
        &checker->harness, random_word(arena->test_case->seed, checker->scrubs++), checker->stream);
    if (error != CU_SUCCESS) {
        checker_driver_error(result, checker, error, "scrubbing shared memory");
        return false;
    }
    error = launch_function(&checker->device->driver, launch->function, plan, launch->words, NULL,
                            checker->stream);
    if (error == CU_SUCCESS)
        return true;
    char note[FINDING_NOTE_BYTES];
    snprintf(note, sizeof note, "launching %s", plan->entry);
    if (error == CU_ERROR_OUT_OF_MEMORY) { /* lazy loading and other tenants: no fault of its own */
        checker_driver_error(result, checker, error, note);
        return false;
    }
    snprintf(note, sizeof note, "launching %s: %s", plan->entry,
             device_error(checker->device, error));
    checker_note(result, VERDICT_CRASH, "verdicts.crash.reported", note);
    return false;
}

/* Plans and launches on the slot's arena. True when something is running or nothing had to. */
static bool launch(struct batch *batch, struct slot *slot, cu_address address)
{
    struct checker_launch launch;
    if (!checker_plan(batch->checker, batch->arena, &batch->checks[slot->index], address,
                      &slot->result, &launch))
        return false;
    if (launch.function == NULL)
        return true;
    slot->launched = checker_launch(batch->checker, batch->arena, &launch, &slot->result);
    return slot->launched;
}

/* Enqueues upload, launch and download of one slot. */
static void enqueue(struct batch *batch, int number)
{
    struct checker *checker = batch->checker;
    const struct cuda_driver *driver = &checker->device->driver;
    struct slot *slot = &batch->slots[number];
    size_t begin = (size_t)number * checker->capacity_bytes;
    cu_address address = checker->arena + begin;
    slot->result.check = batch->checks[slot->index];
    slot->result.verdict = VERDICT_INCONCLUSIVE; /* until it is compared */
    cu_result error = CU_SUCCESS;
    if (batch->reuses) {
        /* Were an upload or a download lost without a word, the last kernel's right result would
         * still lie there. A slot's first use in a case cannot be mistaken: the pattern differs. */
        memset(checker->got + begin, STALE_BYTE, batch->arena->bytes);
        error = driver->memset_d8_async(address, STALE_BYTE, batch->arena->bytes, checker->stream);
    }
    if (error == CU_SUCCESS)
        error = driver->memcpy_htod_async(address, checker->image, batch->arena->bytes,
                                          checker->stream);
    if (error != CU_SUCCESS) {
        checker_driver_error(&slot->result, checker, error, "uploading the case");
        return;
    }
    if (!launch(batch, slot, address))
        return;
    error = driver->memcpy_dtoh_async(checker->got + begin, address, batch->arena->bytes,
                                      checker->stream);
    if (error != CU_SUCCESS)
        checker_driver_error(&slot->result, checker, error, "downloading the result");
}

static void settle(struct batch *batch, int number)
{
    struct checker *checker = batch->checker;
    struct check_result *result = &batch->slots[number].result;
    if (result->verdict != VERDICT_INCONCLUSIVE)
        return;
    const unsigned char *got = checker->got + (size_t)number * checker->capacity_bytes;
    result->verdict =
        compare_arena(batch->arena, checker->image, checker->expected, got, &result->finding);
    if (result->verdict == VERDICT_PASS && !batch->slots[number].launched)
        result->verdict = VERDICT_EMPTY;
    if (result->verdict == VERDICT_PASS)
        digest_output(batch->arena, got, result->digest);
}

void checker_account(struct checker *checker, enum stage stage, double *since)
{
    double now = clock_now_s();
    checker->stage_s[stage] += now - *since;
    *since = now;
}

void checker_lost(struct check_result *result, const struct checker *checker, cu_result error,
                  bool launched)
{
    char note[FINDING_NOTE_BYTES];
    snprintf(note, sizeof note, "waiting for the kernel: %s", device_error(checker->device, error));
    if (result->verdict == VERDICT_CRASH)
        return;
    if (launched)
        checker_note(result, VERDICT_CRASH, "verdicts.crash.reported", note);
    else if (result->verdict == VERDICT_INCONCLUSIVE)
        checker_note(result, VERDICT_ERROR, "", note);
    else /* why it was not launched is told already; but nothing can be run any more */
        result->verdict = result->finding.verdict = VERDICT_ERROR;
}

/* Runs the batch's slots to their results; false when the context is lost and they have none. */
static bool run_batch(struct batch *batch, bool careful)
{
    struct checker *checker = batch->checker;
    double since = clock_now_s();
    for (int number = 0; number < batch->count; number++)
        enqueue(batch, number);
    cu_result error = checker->device->driver.stream_synchronize(checker->stream);
    checker_account(checker, STAGE_DRIVE, &since);
    if (error == CU_SUCCESS) {
        for (int number = 0; number < batch->count; number++)
            settle(batch, number);
        checker_account(checker, STAGE_COMPARE, &since);
        return true;
    }
    if (!careful)
        return false;
    checker_lost(&batch->slots[0].result, checker, error, batch->slots[0].launched);
    return true;
}

/* A driver call of the harness failed: what the context is still good for is not known. */
static bool has_error(const struct batch *batch)
{
    for (int number = 0; number < batch->count; number++)
        if (batch->slots[number].result.verdict == VERDICT_ERROR)
            return true;
    return false;
}

enum check_end checker_run(struct checker *checker, const struct fuzz_case *test_case,
                           const struct check *checks, int check_count, bool careful,
                           check_sink *sink, void *context)
{
    struct arena arena = arena_layout(test_case);
    if (arena.bytes >= checker->stream_from_bytes)
        return stream_run(checker, &arena, checks, check_count, careful, sink, context);
    cu_result error = reserve(checker, arena.bytes);
    bool lost = error != CU_SUCCESS && error != CU_ERROR_OUT_OF_MEMORY;
    if (lost && !careful)
        return CHECK_END_LOST; /* another thread's kernel may have done it: each is tried alone */
    if (error != CU_SUCCESS) {
        for (int index = 0; index < (lost ? 1 : check_count); index++) {
            struct check_result result = {.check = checks[index]};
            checker_driver_error(&result, checker, error, "taking memory for the case");
            sink(context, index, &result);
        }
        return lost ? CHECK_END_LOST : CHECK_END_DONE;
    }
    double since = clock_now_s();
    arena_expect(&arena, 0, checker->expected);
    arena_poison(&arena, checker->expected, checker->image);
    checker_account(checker, STAGE_PREPARE, &since);
    int slots = careful ? 1 : checker->slots;
    for (int from = 0; from < check_count;) {
        struct batch batch = {
            .checker = checker, .arena = &arena, .checks = checks, .reuses = from > 0};
        for (; batch.count < slots && from < check_count; batch.count++, from++)
            batch.slots[batch.count].index = from;
        if (!run_batch(&batch, careful) || (!careful && has_error(&batch)))
            return CHECK_END_LOST;
        for (int number = 0; number < batch.count; number++)
            sink(context, batch.slots[number].index, &batch.slots[number].result);
        /* After a crash the context is gone, and with it whatever this worker could still say. */
        if (careful && (batch.slots[0].result.verdict == VERDICT_CRASH || has_error(&batch)))
            return CHECK_END_LOST;
    }
    return CHECK_END_DONE;
}
