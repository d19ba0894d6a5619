/* The steps that every check is made of (check_steps.h). */
#include "conformance/work/check_steps.h"
#include "conformance/base/process.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cuda/launch.h"
#include "fuzz/random.h"

bool checker_note(struct check_result *result, enum verdict verdict, const char *clause,
                  const char *note)
{
    finding_set(&result->finding, verdict, clause, "%s", note);
    result->verdict = verdict;
    return false;
}

bool checker_driver_error(struct check_result *result, const struct checker *checker,
                          cu_result error, const char *doing)
{
    if (result->verdict == VERDICT_FAIL) /* what was seen wrong remains so */
        return false;
    device_call_finding(&result->finding, checker->device, error, false, doing);
    result->verdict = result->finding.verdict;
    return false;
}

void checker_sink(const struct checker *checker, const struct check_list *list, int index,
                  const struct check_result *result)
{
    struct check_result failed = *result;
    if (result->verdict == VERDICT_PASS && device_misaligned(checker->device, &failed.finding)) {
        failed.verdict = failed.finding.verdict;
        result = &failed;
    }
    list->sink(list->context, index, result);
}

static bool set_load_error(struct check_result *result, cu_result error, const char *why)
{
    device_load_finding(&result->finding, error, why);
    result->verdict = result->finding.verdict;
    return false;
}

unsigned char *checker_sms(const struct checker *checker, struct subject subject)
{
    size_t index = (size_t)subject.kernel * (size_t)path_count() + (size_t)subject.path;
    return checker->sms ? checker->sms + index * LAUNCH_SMS_MAX : NULL;
}

bool checker_open_harness(struct checker *checker, struct check_result *ret_refusal)
{
    const size_t sms_bytes = (size_t)(catalog_count() * path_count()) * LAUNCH_SMS_MAX;
    void *memory = NULL;
    if (checker->sms)
        return true;
    if (!harness_open(&checker->harness, checker->device, checker->stream, &ret_refusal->finding)) {
        ret_refusal->verdict = ret_refusal->finding.verdict;
        return false;
    }
    /* Host memory that the device writes to where it is: no call reads it back. */
    const cu_result error = checker->device->driver.mem_host_alloc(&memory, sms_bytes, 0);
    if (error != CU_SUCCESS)
        return checker_driver_error(ret_refusal, checker, error, "taking memory to note SMs in");
    checker->sms = memory;
    memset(checker->sms, 0, sms_bytes);
    return true;
}

/* Plans the launch without its arrays and textures. */
static bool plan_unbound(struct checker *checker, const struct arena *arena,
                         const struct subject *subject, struct check_result *result,
                         struct callable *ret)
{
    struct reason reason = {.text = ""};
    struct callable callable = {
        .device = checker->device, .stream = checker->stream, .holder = &checker->holder};
    const enum verdict planned =
        callable_plan(&callable, *subject, arena->test_case, CALLABLE_LIMITS_OF_CASE, reason.text);
    const bool declined = planned == VERDICT_DECLINED;
    const struct kernel *kernel = catalog_kernel(subject->kernel);
    if (declined ==
        (catalog_takes(kernel, arena->test_case) &&
         !catalog_needs_other_gpu(kernel, arena->test_case, &checker->device->info.limits)))
        return checker_note(result, VERDICT_FAIL, "runner.kernels.shapes",
                            declined ? "it declined a shape that its row takes"
                                     : "it accepted a shape that its row excludes");
    if (planned != VERDICT_PASS)
        return checker_note(result, planned, "", reason.text);
    const cu_result error = callable_load(&callable, &reason);
    *ret = callable;
    return error == CU_SUCCESS || set_load_error(result, error, reason.text);
}

bool checker_plan(struct checker *checker, const struct arena *arena, const struct subject *subject,
                  struct check_result *result, struct callable *ret)
{
    struct reason reason;
    if (!plan_unbound(checker, arena, subject, result, ret))
        return false;
    const cu_result error = callable_bind(ret, arena, &reason);
    ret->has_work = !callable_is_empty(ret);
    return error == CU_SUCCESS || set_load_error(result, error, reason.text);
}

/* Makes no texture of it: a case is refused that may be larger than all memory. */
void checker_refuse(struct checker *checker, const struct arena *arena,
                    const struct subject *subject, const struct check_result *refusal,
                    struct check_result *result)
{
    struct callable callable;
    *result = (struct check_result){.subject = *subject, .verdict = VERDICT_INCONCLUSIVE};
    plan_unbound(checker, arena, subject, result, &callable);
    if (result->verdict != VERDICT_INCONCLUSIVE)
        return;
    *result = *refusal;
    result->subject = *subject;
}

/* How a launch failed. Always false. */
static bool launch_failed(const struct callable *callable, cu_result error,
                          struct check_result *result)
{
    char doing[FINDING_NOTE_BYTES];
    snprintf(doing, sizeof doing, "launching %s", callable->plan.entry);
    device_call_finding(&result->finding, callable->device, error, true, doing);
    result->verdict = result->finding.verdict;
    return false;
}

/* Whether the driver says that the stream has the launch's window, or with `address` 0 none. */
static bool window_is(const struct callable *callable, cu_address address,
                      struct check_result *result)
{
    const struct l2_window *window = &callable->bindings.window;
    struct reason reason;
    return window->bytes == 0 ||
           l2_window_is(window, &callable->device->driver, address, callable->stream, &reason) ||
           checker_note(result, VERDICT_FAIL, address ? "memory.window.set" : "memory.window.off",
                        reason.text);
}

/* One launch of those that a check has: scrubbed, with what it needs in place, and watched. */
static bool launch_one(struct checker *checker, const struct callable *callable, uint64_t seed,
                       struct callable_operands *operands, struct bindings_launch turn,
                       struct check_result *result)
{
    const struct cuda_driver *driver = &checker->device->driver;
    const uint64_t key = random_word(seed, checker->scrubs++);
    cu_result error = callable_scrub(callable, &checker->harness, key);
    if (error != CU_SUCCESS)
        return checker_driver_error(result, checker, error, "scrubbing shared memory");
    error = callable_prepare(callable, operands, turn);
    if (error != CU_SUCCESS)
        return checker_driver_error(result, checker, error,
                                    "putting operands into the kernel's arrays");
    error = callable_put_window(callable, operands);
    if (error == CU_ERROR_INVALID_VALUE)
        return checker_note(result, VERDICT_FAIL, "memory.window.set",
                            "the driver refuses the window");
    if (error != CU_SUCCESS)
        return checker_driver_error(result, checker, error, "setting the stream's window");
    if (!window_is(callable, operands->address, result))
        return false;
    float_watch_begin(); /* the host device computes in this thread */
    reads_begin(&checker->reads, driver, operands->address);
    error = callable_enqueue(callable, operands, checker_sms(checker, result->subject));
    reads_end(&checker->reads, driver);
    if (device_kind(&checker->device->info)->is_emulated && callable->kind->has_blocks)
        float_watch_end(); /* a copy may read the clock */
    if (error != CU_SUCCESS)
        return launch_failed(callable, error, result);
    error = callable_drop_window(callable);
    return error == CU_SUCCESS
               ? window_is(callable, 0, result)
               : checker_driver_error(result, checker, error, "ending the stream's window");
}

bool checker_launch(struct checker *checker, const struct arena *arena, cu_address address,
                    struct callable *callable, struct check_result *result)
{
    const struct kernel *kernel = catalog_kernel(result->subject.kernel);
    const unsigned *grid = callable->plan.grid;
    const struct fuzz_case *called = arena->test_case;
    const int64_t count = kernel->launch_axis
                              ? called->axis[algorithm_axis(called->algorithm, kernel->launch_axis)]
                              : 1;
    const int64_t reload =
        kernel->reload_axis ? called->axis[algorithm_axis(called->algorithm, kernel->reload_axis)]
                            : 0;
    struct callable_operands operands = callable_place(callable, arena, address);
    struct bindings_launch turn = {.number = 0, .is_loaded = false};
    checker->reads.watch.strayed = false;
    if (checker->device->driver.set_schedule_seed)
        checker->device->driver.set_schedule_seed(called->seed);
    for (int64_t number = 0; number < count; number++, turn.number++) {
        const bool again = reload > 0 && number == reload;
        if (again && kernel->loads) { /* the module as no launch has seen it */
            struct reason reason = {.text = "unloading the kernel's module"};
            cu_result error = checker->device->driver.stream_synchronize(checker->stream);
            if (error != CU_SUCCESS)
                return launch_failed(callable, error, result);
            error = device_unload(checker->device, kernel, result->subject.path, callable->holder);
            error = error ? error : callable_load(callable, &reason);
            error = error ? error : callable_bind(callable, arena, &reason);
            if (error != CU_SUCCESS)
                return set_load_error(result, error, reason.text);
        }
        if (again)
            turn = (struct bindings_launch){.number = 0, .is_loaded = kernel->loads};
        if (!launch_one(checker, callable, called->seed, &operands, turn, result))
            return false;
    }
    if (callable->kind->has_blocks)
        result->blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    return true;
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
    if (result->verdict == VERDICT_CRASH)
        return;
    if (launched || error == CU_ERROR_OUT_OF_MEMORY || result->verdict == VERDICT_INCONCLUSIVE)
        device_call_finding(&result->finding, checker->device, error, launched,
                            "waiting for the kernel");
    else /* why it was not launched is reported already; but nothing can be run any more */
        result->finding.verdict = VERDICT_ERROR;
    result->verdict = result->finding.verdict;
}

const char checker_not_looked_at[] =
    "the harness's own kernel did not check the memory around the operands";
const char checker_reading_change[] = "reading what was changed";

/* Reports the change as one of a guard, which extends to the end of the allocation: the nearest
 * operand's. */
void checker_judge_around(const struct arena *arena, enum harness_state around,
                          const struct harness_change *change, struct check_result *result)
{
    struct finding *finding = &result->finding;
    int first = 0, last = 0;
    if (around == HARNESS_NOT_LOOKED_AT && result->verdict == VERDICT_PASS)
        checker_note(result, VERDICT_INCONCLUSIVE, "", checker_not_looked_at);
    if (around != HARNESS_CHANGED || result->verdict == VERDICT_FAIL)
        return;
    checker_note(result, VERDICT_FAIL, "memory.outside.untouched", "");
    for (int index = 1; index < arena->operand_count; index++) {
        if (arena->operands[index].begin < arena->operands[first].begin)
            first = index;
        if (arena->operands[index].end > arena->operands[last].end)
            last = index;
    }
    const bool before = change->from_begin < 0;
    finding->place = PLACE_GUARD;
    finding->operand = before ? first : last;
    finding->distance_bytes =
        before ? change->from_begin - (int64_t)arena->operands[first].begin
               : change->from_end + (int64_t)(arena->bytes - arena->operands[last].end);
    finding->unit_bytes = sizeof change->expected;
    finding->wrong_guard_bytes = change->words * sizeof change->expected;
    memcpy(finding->expected, change->expected, sizeof change->expected);
    memcpy(finding->got, change->got, sizeof change->got);
}
