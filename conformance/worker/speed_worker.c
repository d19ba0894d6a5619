/* One bench job in the worker (speed_job.h): bits, times, bits again. Clauses:
 * bandwidth.bits.first, bandwidth.bits.last. */
#include "conformance/worker/speed_worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/work/timer.h"
#include "conformance/base/clock.h"
#include "conformance/base/reason.h"
#include "conformance/work/task.h"
#include "conformance/work/launch_plan.h"
#include "cuda/launch.h"

bool task_is_copy(const struct bench_job *job)
{
    return job->kind == BENCH_MEMCPY || job->kind == BENCH_COPY;
}

int task_slots(const struct task *task)
{
    const struct bench_buffers *buffers = &task->worker->buffers;
    return task_is_copy(task->job) ? bench_buffers_pairs(buffers) : buffers->count;
}

void task_set_finding(struct bench_times *ret, enum verdict verdict, const char *clause,
                      const char *doing, const char *what)
{
    memset(&ret->finding, 0, sizeof ret->finding);
    ret->finding.verdict = verdict;
    ret->verdict = (int32_t)verdict;
    ret->finding.operand = -1;
    snprintf(ret->finding.clause, sizeof ret->finding.clause, "%s", clause);
    snprintf(ret->finding.note, sizeof ret->finding.note, "%s%s%s", doing, what[0] ? ": " : "",
             what);
}

bool task_set_error(struct bench_times *ret, const struct bench_worker *worker, cu_result error,
                    const char *doing)
{
    task_set_finding(ret, error == CU_ERROR_OUT_OF_MEMORY ? VERDICT_SKIP : VERDICT_ERROR, "", doing,
                     device_error(worker->buffers.device, error));
    return false;
}

/* The copy kernel's case of so many bytes, whatever its elements' size is. The supervisor has named
 * the kernel. */
static bool copy_axes(const struct kernel *kernel, size_t bytes, struct fuzz_case *ret)
{
    char text[CASE_TEXT_BYTES];
    struct case_error error;
    size_t count = 1;
    for (int pass = 0; pass < 2; pass++) { /* of one element first, which says how wide it is */
        snprintf(text, sizeof text, "%s n=%zu fill=uniform seed=0", kernel->algorithm, count);
        if (!case_parse(text, ret, &error))
            return false;
        count = bytes / (size_t)case_view(ret, 0).element_bytes;
    }
    return true;
}

/* Of the buffers in use. */
static void prepare_calls(struct task *task)
{
    const struct bench_buffers *buffers = &task->worker->buffers;
    const struct fuzz_case *test_case = &task->called;
    for (int turn = 0; turn < buffers->count; turn++) {
        uint64_t addresses[ALGORITHM_OPERANDS_MAX] = {0};
        for (int index = 0; index < buffers->arena.operand_count; index++)
            addresses[index] = buffers->buffers[turn] + buffers->arena.operands[index].begin;
        if (task->job->kind == BENCH_COPY) {
            cu_address source, target;
            bench_buffers_pair(buffers, (uint64_t)turn, &source, &target);
            addresses[0] = source;
            addresses[1] = target;
        }
        catalog_call(test_case->algorithm, test_case->axis, addresses, task->words[turn]);
        bindings_call(&task->bindings, task->words[turn]);
    }
}

static bool prepare_kernel(struct task *task, struct bench_times *ret)
{
    struct bench_worker *worker = task->worker;
    const struct kernel *kernel = catalog_kernel(task->job->subject.kernel);
    const struct fuzz_case *test_case = &task->called;
    task->called = worker->buffers.test_case;
    if (task->job->kind == BENCH_COPY && !copy_axes(kernel, task->copy_bytes, &task->called)) {
        task_set_finding(ret, VERDICT_ERROR, "", kernel->name, "is not a copy kernel");
        return false;
    }
    struct reason reason = {.text = "this kernel does not accept the case"};
    enum verdict planned = launch_plan(kernel, test_case, &worker->buffers.device->info.limits,
                                       &task->plan, reason.text);
    if (planned != VERDICT_PASS) {
        task_set_finding(ret, planned, "", reason.text, "");
        return false;
    }
    cu_result error = device_function(worker->buffers.device, kernel, task->job->subject.path,
                                      worker, task->plan.entry, &task->function, &reason);
    if (error == CU_SUCCESS)
        error = bindings_open(worker->buffers.device, task->job->subject, worker, &worker->textures,
                              &worker->buffers.arena, &task->bindings, &reason);
    if (error == CU_SUCCESS)
        prepare_calls(task);
    if (error == CU_SUCCESS)
        return true;
    if (device_is_unable(error) || error == CU_ERROR_OUT_OF_MEMORY)
        task_set_finding(ret, VERDICT_SKIP, "", reason.text, "");
    else
        task_set_finding(ret, VERDICT_CRASH, "verdicts.crash.reported", reason.text, "");
    return false;
}

int task_slot(const struct task *task, uint64_t turn)
{
    const struct bench_buffers *buffers = &task->worker->buffers;
    const uint64_t number = buffers->rotates ? turn : task->piece;
    return (int)(number % (uint64_t)task_slots(task));
}

cu_result task_enqueue(void *context, uint64_t turn)
{
    struct task *task = context;
    const struct bench_buffers *buffers = &task->worker->buffers;
    const struct cuda_driver *driver = &buffers->device->driver;
    const int slot = task_slot(task, turn);
    cu_result error = CU_SUCCESS;
    task->reached[slot] = true;
    if (task->job->kind == BENCH_MEMCPY) {
        cu_address source, target;
        bench_buffers_pair(buffers, (uint64_t)slot, &source, &target);
        return driver->memcpy_dtod_async(target, source, task->copy_bytes, task->worker->stream);
    }
    if (buffers->count > 1) /* else it was put where the buffers were prepared */
        error = l2_window_put(&task->bindings.window, driver, buffers->buffers[slot],
                              task->worker->stream);
    if (error != CU_SUCCESS)
        return error;
    return launch_function(driver, task->function, &task->plan, task->words[slot], NULL,
                           task->worker->stream);
}

/* No later launch has the window, and nothing of L2 is kept any more. */
static cu_result end_window(struct task *task)
{
    struct device *device = task->worker->buffers.device;
    const struct l2_window *window = &task->bindings.window;
    if (!window->is_set_aside)
        return CU_SUCCESS;
    cu_result error = l2_window_drop(window, &device->driver, task->worker->stream);
    if (error == CU_SUCCESS)
        error = device->driver.stream_synchronize(task->worker->stream);
    if (error == CU_SUCCESS)
        error = device->driver.ctx_reset_persisting_l2();
    return error == CU_SUCCESS ? l2_window_set_aside(device, false) : error;
}

/* The outputs of every buffer. */
static cu_result flip_outputs(const struct task *task)
{
    const struct bench_worker *worker = task->worker;
    const struct bench_buffers *buffers = &worker->buffers;
    cu_result error = CU_SUCCESS;
    for (int turn = 0; turn < buffers->count; turn++)
        for (int index = 0; index < buffers->arena.operand_count; index++)
            if (error == CU_SUCCESS && bench_is_output(&buffers->arena, index))
                error = harness_flip(&worker->watch.harness, buffers->buffers[turn],
                                     &buffers->arena, index, worker->stream);
    return error;
}

/* The buffers as they were, or with flipped outputs, and nothing where copies go: a lost one must
 * not find the right bytes. */
static cu_result prepare_buffers(struct task *task, enum bench_content before)
{
    struct bench_worker *worker = task->worker;
    struct bench_buffers *buffers = &worker->buffers;
    cu_result error = bench_buffers_restore(buffers, worker->stream);
    task->before = before;
    if (error == CU_SUCCESS && before == BENCH_CONTENT_FLIPPED)
        error = flip_outputs(task);
    int pairs = task_is_copy(task->job) ? bench_buffers_pairs(buffers) : 0;
    if (error == CU_SUCCESS)
        error = bindings_put(&task->bindings, &buffers->device->driver, buffers->buffers[0],
                             (struct bindings_launch){.number = 0}, worker->stream);
    if (error == CU_SUCCESS)
        error = l2_window_put(&task->bindings.window, &buffers->device->driver, buffers->buffers[0],
                              worker->stream);
    for (int pair = 0; error == CU_SUCCESS && pair < pairs; pair++) {
        cu_address source, target;
        bench_buffers_pair(buffers, (uint64_t)pair, &source, &target);
        error = buffers->device->driver.memset_d8_async(target, BENCH_STAIN, buffers->arena.bytes,
                                                        worker->stream);
    }
    return error;
}

/* Runs the task once on every buffer, or from each source to its target, and checks the bits. */
static bool check_first(struct task *task, struct bench_times *ret)
{
    struct bench_worker *worker = task->worker;
    cu_result error = prepare_buffers(task, task_is_copy(task->job) ? BENCH_CONTENT_IMAGE
                                                                    : BENCH_CONTENT_FLIPPED);
    if (error == CU_SUCCESS && !task_check_image(task, ret))
        return false;
    for (int slot = 0; error == CU_SUCCESS && slot < task_slots(task); slot++) {
        task->piece = (uint64_t)slot;
        error = task_enqueue(task, (uint64_t)slot);
    }
    if (error == CU_SUCCESS)
        error = worker->buffers.device->driver.stream_synchronize(worker->stream);
    if (error == CU_ERROR_OUT_OF_MEMORY)
        return task_set_error(ret, worker, error, "launching");
    if (error != CU_SUCCESS) {
        task_set_finding(ret, VERDICT_CRASH, "verdicts.crash.reported", "launching",
                         device_error(worker->buffers.device, error));
        return false;
    }
    return task_check(task, "before timing", ret);
}

/* By the host's clock, of some launches on a buffer that they have been on before: something else
 * may disturb one. */
static bool is_short(struct task *task)
{
    enum { TRIES = 3 };
    static const double short_s = BENCH_SAMPLE_US / 3 * 1e-6;
    const struct cuda_driver *driver = &task->worker->buffers.device->driver;
    for (int try = 0; try < TRIES; try++) {
        const double began_s = clock_now_s();
        cu_result error = task_enqueue(task, 0);
        if (error == CU_SUCCESS)
            error = driver->stream_synchronize(task->worker->stream);
        if (error != CU_SUCCESS)
            return false;
        if (clock_now_s() - began_s < short_s)
            return true;
    }
    return false;
}

/* Many short launches make a sample: they take turns on all buffers. An error of `is_short` comes
 * again. */
static bool check_all(struct task *task, struct bench_times *ret)
{
    struct bench_buffers *buffers = &task->worker->buffers;
    if (!check_first(task, ret))
        return false;
    if (buffers->count == buffers->all || device_kind(&buffers->device->info)->is_emulated ||
        !is_short(task))
        return true;
    buffers->count = buffers->all;
    if (task->job->kind != BENCH_MEMCPY)
        prepare_calls(task);
    memset(task->reached, 0, sizeof task->reached);
    return check_first(task, ret);
}

static bool hold_case(struct bench_worker *worker, const struct bench_job *job,
                      struct bench_times *ret)
{
    struct fuzz_case test_case;
    struct case_error wrong;
    const char *doing = "";
    if (!case_parse(job->text, &test_case, &wrong)) {
        task_set_finding(ret, VERDICT_ERROR, "", "the bench case", wrong.message);
        return false;
    }
    cu_result error =
        bench_buffers_hold(&worker->buffers, job, &test_case, bench_copy_bytes(&test_case), &doing);
    struct reason reason;
    if (error == CU_SUCCESS) {
        error = bench_watch_open(&worker->watch, worker->buffers.device, worker->stream, &reason);
        doing = reason.text;
    }
    return error == CU_SUCCESS || task_set_error(ret, worker, error, doing);
}

static void time_task(struct task *task, struct bench_times *ret)
{
    struct bench_worker *worker = task->worker;
    struct device *device = worker->buffers.device;
    if (task->job->kind != BENCH_MEMCPY && !prepare_kernel(task, ret))
        return;
    if (task->plan.grid[0] == 0 && task->job->kind != BENCH_MEMCPY) {
        task_set_finding(ret, VERDICT_SKIP, "", "the case has no work", "");
        return;
    }
    bool is_call = task->job->kind == BENCH_LATENCY;
    double began_s = clock_now_s();
    const bool is_right = check_all(task, ret);
    ret->phase_s[BENCH_PHASE_CHECK] = clock_now_s() - began_s;
    if (!is_right)
        return;
    cu_result error = prepare_buffers(task, BENCH_CONTENT_IMAGE);
    struct bench_timer timer = {
        device, worker->stream, &worker->nvml, task_enqueue,
        task,   task_around(),  TIMER_HOLD_MS, bench_warm_up_s(began_s - worker->timed_until_s)};
    struct bench_latency latency = {device,
                                    worker->stream,
                                    task->function,
                                    task->plan,
                                    task->words[0],
                                    worker->buffers.buffers[0],
                                    worker->buffers.staging};
    task->piece = 0;
    memset(task->reached, 0, sizeof task->reached);
    began_s = clock_now_s();
    ret->buffers = worker->buffers.count;
    if (error == CU_SUCCESS && task->job->kind == BENCH_LATENCY)
        error = bench_latency_time(&latency, &worker->nvml, task->job->latency, task->job->samples,
                                   ret);
    else if (error == CU_SUCCESS)
        error = bench_time(&timer, task->job->samples, ret);
    const double timed_s = clock_now_s();
    worker->timed_until_s = is_call ? 0 : timed_s;
    ret->phase_s[BENCH_PHASE_SAMPLES] =
        timed_s - began_s - ret->phase_s[BENCH_PHASE_WARM_UP] - ret->phase_s[BENCH_PHASE_SENSORS];
    if (error != CU_SUCCESS) {
        task_set_error(ret, worker, error, "timing");
        return;
    }
    struct reason reason;
    if (device_misaligned(device, &reason))
        task_set_finding(ret, VERDICT_FAIL, "memory.alignment.allocations", reason.text, "");
    else if (is_call || (task_check(task, "after timing", ret) && task_check_samples(task, ret)))
        ret->verdict = VERDICT_PASS;
    ret->phase_s[BENCH_PHASE_CHECK] += clock_now_s() - timed_s;
}

static struct bench_worker *open_worker(struct device *device, struct bench_times *ret)
{
    struct bench_worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL) {
        task_set_finding(ret, VERDICT_ERROR, "", "no host memory", "");
        return NULL;
    }
    worker->buffers.device = device;
    struct reason reason = {.text = "the host device has no sensors"};
    cu_result error = device->driver.ctx_set_current(device->context);
    if (error == CU_SUCCESS)
        error = device->driver.stream_create(&worker->stream, 1);
    if (error != CU_SUCCESS) {
        task_set_error(ret, worker, error, "making a stream");
        free(worker);
        return NULL;
    }
    if (!device_kind(&device->info)->is_timed ||
        !nvml_open(&worker->nvml, device->info.uuid, &reason))
        snprintf(worker->sensors_why, sizeof worker->sensors_why, "%.*s",
                 (int)sizeof worker->sensors_why - 1, reason.text);
    return worker;
}

void bench_work(struct bench_worker **state, struct device *device, const struct bench_job *job,
                struct bench_times *ret)
{
    memset(ret, 0, sizeof *ret);
    ret->job = job->job;
    if (*state == NULL)
        *state = open_worker(device, ret);
    struct task *task = *state ? calloc(1, sizeof *task) : NULL;
    if (task == NULL) {
        if (*state)
            task_set_finding(ret, VERDICT_ERROR, "", "no host memory", "");
        return;
    }
    snprintf(ret->sensors_why, sizeof ret->sensors_why, "%s", (*state)->sensors_why);
    task->worker = *state;
    task->job = job;
    const double began_s = clock_now_s();
    const bool is_held = hold_case(*state, job, ret);
    ret->phase_s[BENCH_PHASE_MAKE] = clock_now_s() - began_s;
    if (is_held) {
        task->copy_bytes = (*state)->buffers.copy_bytes;
        time_task(task, ret);
        cu_result error = end_window(task);
        if (error != CU_SUCCESS && ret->verdict == VERDICT_PASS)
            task_set_error(ret, *state, error, "ending the kernel's window");
    }
    free(task);
}

void bench_worker_close(struct bench_worker *state)
{
    if (state == NULL)
        return;
    bench_watch_close(&state->watch);
    textures_release(&state->textures, &state->buffers.device->driver);
    bench_buffers_free(&state->buffers);
    state->buffers.device->driver.stream_destroy(state->stream);
    nvml_close(&state->nvml);
    free(state);
}
