/* One bench job in the worker (speed_worker.h): bits, times, bits again. Clauses:
 * bandwidth.bits.first, bandwidth.bits.last. */
#include "conformance/worker/speed_worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/process.h"
#include "fuzz/random.h"

/* The launches of a job, or its end with a reason. */

/* How many buffers launches may be on, or pairs of them copies; and which of them, from 0 on, those
 * of a turn are on. */
static int task_slots(const struct task *task)
{
    const struct bench_buffers *buffers = &task->worker->buffers;
    return task->kind->is_copy ? bench_buffers_pairs(buffers) : buffers->count;
}

static int task_slot(const struct task *task, uint64_t turn)
{
    const struct bench_buffers *buffers = &task->worker->buffers;
    const uint64_t number = buffers->rotates ? turn : task->piece;
    return (int)(number % (uint64_t)task_slots(task));
}

static bool task_set_finding(struct bench_times *ret, enum verdict verdict, const char *clause,
                             const char *doing, const char *what)
{
    finding_set(&ret->finding, verdict, clause, "%s%s%s", doing, what[0] ? ": " : "", what);
    return false;
}

/* The driver refused something of the harness's own. False. */
static bool task_set_error(struct bench_times *ret, const struct bench_worker *worker,
                           cu_result error, const char *doing)
{
    device_call_finding(&ret->finding, worker->buffers.device, error, false, doing);
    return false;
}

/* One launch or copy of a struct task. */
static cu_result task_enqueue(void *context, uint64_t turn)
{
    struct task *task = context;
    const struct bench_buffers *buffers = &task->worker->buffers;
    const int slot = task_slot(task, turn);
    cu_result error = CU_SUCCESS;
    task->reached[slot] = true;
    if (buffers->count > 1) /* else it was put where the buffers were prepared */
        error = callable_put_window(&task->callable, &task->operands[slot]);
    if (error != CU_SUCCESS)
        return error;
    error = callable_enqueue(&task->callable, &task->operands[slot], NULL);
    task->is_refused = error != CU_SUCCESS;
    return error;
}

/* The kinds of jobs. */

static bool make_kernel_for(struct task *task, const struct fuzz_case *called,
                            struct bench_times *ret)
{
    struct reason reason = {.text = "this kernel does not accept the case"};
    task->called = *called;
    const enum verdict planned = callable_plan(&task->callable, task->job->subject, &task->called,
                                               CALLABLE_LIMITS_OF_DEVICE, reason.text);
    if (planned != VERDICT_PASS)
        return task_set_finding(ret, planned, "", reason.text, "");
    cu_result error = callable_load(&task->callable, &reason);
    error = error ? error : callable_bind(&task->callable, &task->worker->buffers.arena, &reason);
    if (error != CU_SUCCESS) {
        device_load_finding(&ret->finding, error, reason.text);
        return false;
    }
    return !callable_is_empty(&task->callable) ||
           task_set_finding(ret, VERDICT_SKIP, "", "the case has no work", "");
}

static bool make_kernel(struct task *task, struct bench_times *ret)
{
    return make_kernel_for(task, &task->worker->buffers.test_case, ret);
}

/* The copy kernel's case of that many bytes, whatever its elements' size is: of one element first,
 * which says how wide it is. The supervisor has named the kernel. */
static bool make_copy_kernel(struct task *task, struct bench_times *ret)
{
    const struct kernel *kernel = catalog_kernel(task->job->subject.kernel);
    char text[CASE_TEXT_BYTES];
    struct fuzz_case called;
    struct case_error wrong;
    size_t count = 1;
    for (int pass = 0; pass < 2; pass++) {
        snprintf(text, sizeof text, "%s n=%zu fill=uniform seed=0", kernel->algorithm, count);
        if (!case_parse(text, &called, &wrong))
            return task_set_finding(ret, VERDICT_ERROR, "", kernel->name, "is not a copy kernel");
        count = task->copy_bytes / (size_t)case_view(&called, 0).element_bytes;
    }
    return make_kernel_for(task, &called, ret);
}

static bool make_copy(struct task *task, struct bench_times *ret)
{
    (void)ret;
    callable_copy(&task->callable, task->copy_bytes);
    return true;
}

static bool make_library(struct task *task, struct bench_times *ret)
{
    struct reason reason;
    callable_library(&task->callable, &task->worker->buffers.test_case);
    return callable_load(&task->callable, &reason) == CU_SUCCESS ||
           task_set_finding(ret, VERDICT_SKIP, "", reason.text, "");
}

#define COPIES  BENCH_CONTENT_IMAGE, BENCH_CONTENT_COPIED, BENCH_CONTENT_COPIED_PART
#define RESULTS BENCH_CONTENT_FLIPPED, BENCH_CONTENT_RIGHT, BENCH_CONTENT_RIGHT_PART
static const struct task_kind kinds[BENCH_KIND_COUNT] = {
    [BENCH_KERNEL] = {make_kernel, false, false, false, RESULTS},
    [BENCH_MEMCPY] = {make_copy, true, false, false, COPIES},
    [BENCH_COPY] = {make_copy_kernel, true, false, false, COPIES},
    [BENCH_LIBRARY] = {make_library, false, false, true, BENCH_CONTENT_FLIPPED,
                       BENCH_CONTENT_LIBRARY, BENCH_CONTENT_LIBRARY_PART},
    [BENCH_LATENCY] = {make_kernel, false, true, false, RESULTS},
};

const struct task_kind *task_kind(const struct bench_job *job)
{
    return &kinds[job->kind];
}

/* Digests between the samples of a timing. Clause: bandwidth.bits.digest. */

enum { WORD_BYTES = 8, STALE_BYTE = 0xa5 };

bool bench_watch_open(struct bench_watch *watch, struct device *device, cu_stream stream,
                      struct finding *ret)
{
    if (!harness_open(&watch->harness, device, stream, ret))
        return false;
    if (watch->reports)
        return true;
    const cu_result error = device_take(device, sizeof watch->seen, &watch->reports);
    if (error != CU_SUCCESS)
        device_call_finding(ret, device, error, false, "taking memory for digests");
    return error == CU_SUCCESS;
}

void bench_watch_close(struct bench_watch *watch)
{
    if (watch->reports)
        watch->harness.device->driver.mem_free(watch->reports);
    *watch = (struct bench_watch){.count = 0};
}

/* Starts again. */
static cu_result bench_watch_begin(struct bench_watch *watch)
{
    watch->count = 0;
    return watch->harness.device->driver.memset_d8_async(watch->reports, 0, sizeof watch->seen,
                                                         watch->harness.stream);
}

/* Puts a digest on the stream. */
static cu_result bench_watch_add(struct bench_watch *watch, const struct bench_look *look)
{
    const struct harness_range range = {
        .address = look->buffer + look->from, .bytes = look->bytes, .key = look->from / WORD_BYTES};
    if (watch->count == BENCH_WATCH_MAX)
        return CU_ERROR_UNKNOWN;
    watch->looks[watch->count] = *look;
    cu_address report = watch->reports + (size_t)watch->count++ * sizeof watch->seen[0];
    return harness_digest(&watch->harness, &range, report);
}

/* Waits for all since. How many are not as they must be, or were not taken of all bytes, and the
 * first of them: a launch or a download that was lost has looked at nothing. */
static cu_result bench_watch_end(struct bench_watch *watch, int *ret_wrong, int *ret_first)
{
    const struct cuda_driver *driver = &watch->harness.device->driver;
    cu_result error = CU_SUCCESS;
    *ret_wrong = *ret_first = 0;
    if (watch->count > 0) {
        memset(watch->seen, STALE_BYTE, sizeof watch->seen);
        error = driver->memcpy_dtoh_async(watch->seen, watch->reports,
                                          (size_t)watch->count * sizeof watch->seen[0],
                                          watch->harness.stream);
        error = error ? error : driver->stream_synchronize(watch->harness.stream);
    }
    for (int index = watch->count - 1; error == CU_SUCCESS && index >= 0; index--) {
        const struct bench_look *look = &watch->looks[index];
        const struct harness_report *seen = &watch->seen[index];
        if (seen->words == look->bytes / WORD_BYTES && (seen->sum == look->right) == look->is_right)
            continue;
        ++*ret_wrong;
        *ret_first = index;
    }
    return error;
}

/* Digests of a task's buffers, before, between and after its samples. Clauses:
 * bandwidth.bits.first, bandwidth.bits.last, bandwidth.bits.digest. */

/* The buffer that is written in a slot. */
static cu_address target_of(const struct task *task, int slot)
{
    const struct bench_buffers *buffers = &task->worker->buffers;
    cu_address source, target = buffers->buffers[slot];
    if (task->kind->is_copy)
        bench_buffers_pair(buffers, (uint64_t)slot, &source, &target);
    return target;
}

static cu_address written_in(const struct task *task, uint64_t turn)
{
    return target_of(task, task_slot(task, turn));
}

/* How many turns write a buffer each. Of an operand in host memory there is one, and a sample of
 * launches is never told from one without: the host cannot be poisoned in between. */
static int turns_apart(void *context)
{
    const struct task *task = context;
    if (task->callable.kind->crosses_link)
        return 2;
    return task->worker->buffers.rotates ? task_slots(task) : 1;
}

static void around_move(void *context)
{
    struct task *task = context;
    task->piece++;
}

static int around_calls(void *context, int launches)
{
    const struct task *task = context;
    const int apart = turns_apart(context), each = task->callable.kind->crosses_link ? 3 : 2;
    return 1 + each * (launches < apart ? launches : apart);
}

static cu_result around_begin(void *context)
{
    struct task *task = context;
    return bench_watch_begin(&task->worker->watch);
}

static cu_result add_digest(struct task *task, cu_address buffer, enum bench_content content)
{
    const struct bench_look look = {.buffer = buffer,
                                    .bytes = task->worker->buffers.arena.bytes,
                                    .content = content,
                                    .right = task->worker->buffers.digests[content],
                                    .is_right = true};
    const cu_result error = callable_gather(&task->callable, buffer);
    return error ? error : bench_watch_add(&task->worker->watch, &look);
}

/* The digests have read what the launch before left in the caches, and written back what it wrote
 * there: it is launched again. */
static cu_result around_settle(void *context, uint64_t turn)
{
    struct task *task = context;
    return turn > 0 ? task_enqueue(task, turn - 1) : CU_SUCCESS;
}

/* All that a copy is to write, or the outputs and the gaps between their elements: to spare these
 * takes six times as long as a launch, which is too much to subtract. */
static cu_result around_poison(void *context, uint64_t turn)
{
    struct task *task = context;
    const struct bench_worker *worker = task->worker;
    const struct arena *arena = &worker->buffers.arena;
    const struct cuda_driver *driver = &worker->buffers.device->driver;
    const cu_address buffer = written_in(task, turn);
    if (task->kind->is_copy)
        return driver->memset_d8_async(buffer, BENCH_POISON, task->copy_bytes, worker->stream);
    cu_result error = CU_SUCCESS;
    for (int index = 0; error == CU_SUCCESS && index < arena->operand_count; index++) {
        const struct arena_operand *operand = &arena->operands[index];
        if (!bench_is_output(arena, index))
            continue;
        error = driver->memset_d8_async(buffer + operand->begin, BENCH_POISON,
                                        operand->end - operand->begin, worker->stream);
        task->is_poisoned = task->is_poisoned || bench_has_gaps(arena, index);
    }
    return error;
}

/* Bytes that a launch does not write are not read, either: the caches keep more of its data. */
static cu_result around_peek(void *context, uint64_t turn, bool was_launched)
{
    struct task *task = context;
    const struct bench_buffers *buffers = &task->worker->buffers;
    struct bench_look look = {.buffer = written_in(task, turn),
                              .right = buffers->digests[task->kind->written_part],
                              .is_right = was_launched};
    size_t to = task->copy_bytes;
    if (!task->kind->is_copy)
        bench_written(&buffers->arena, &look.from, &to);
    look.bytes = to - look.from;
    return bench_watch_add(&task->worker->watch, &look);
}

/* Each buffer once: of several launches on one the last is seen. Gaps that were poisoned get back
 * what was uploaded there first, and the last launch is made again. */
static cu_result around_look(void *context, uint64_t turn, uint64_t end)
{
    struct task *task = context;
    const struct bench_worker *worker = task->worker;
    const struct bench_buffers *buffers = &worker->buffers;
    const uint64_t apart = (uint64_t)turns_apart(task);
    cu_result error = CU_SUCCESS;
    if (task->is_poisoned) {
        size_t from, to;
        task->is_poisoned = false;
        bench_written(&buffers->arena, &from, &to);
        error = buffers->device->driver.memcpy_dtod_async(
            written_in(task, end - 1) + from, buffers->pristine + from, to - from, worker->stream);
        error = error ? error : task_enqueue(task, end - 1);
    }
    for (turn = end - turn > apart ? end - apart : turn; error == CU_SUCCESS && turn < end; turn++)
        error = add_digest(task, written_in(task, turn), task->kind->written);
    return error;
}

static cu_result around_end(void *context)
{
    struct task *task = context;
    int wrong, first;
    cu_result error = bench_watch_end(&task->worker->watch, &wrong, &first);
    task->wrong += wrong;
    return error;
}

const struct bench_around *task_around(void)
{
    static const struct bench_around around = {.apart = turns_apart,
                                               .calls = around_calls,
                                               .begin = around_begin,
                                               .move = around_move,
                                               .settle = around_settle,
                                               .look = around_look,
                                               .poison = around_poison,
                                               .peek = around_peek,
                                               .end = around_end};
    return &around;
}

/* The digest is not that of the right bits: the bytes say why. */
static bool find_wrong(struct task *task, cu_address buffer, enum bench_content content,
                       const char *when, struct bench_times *ret)
{
    struct finding finding = {0};
    char what[FINDING_NOTE_BYTES];
    const enum verdict verdict = bench_buffers_find(&task->worker->buffers, buffer, content,
                                                    task->before, task->worker->stream, &finding);
    if (verdict != VERDICT_FAIL) {
        snprintf(what, sizeof what, "%s the device's digest %s", when,
                 verdict == VERDICT_PASS
                     ? "cannot tell right bits from wrong ones"
                     : "is not that of the right bits, and its bytes cannot be read back");
        return task_set_finding(ret, VERDICT_FAIL, "bandwidth.bits.digest", what, finding.note);
    }
    if (content == BENCH_CONTENT_RIGHT) {
        snprintf(finding.note, sizeof finding.note,
                 "wrong bits %s (%s, row %lld, column %lld), so it has no bandwidth", when,
                 place_name(finding.place), (long long)finding.row, (long long)finding.column);
    } else {
        const bool is_past = strcmp(finding.clause, "bandwidth.bits.digest") == 0;
        snprintf(what, sizeof what, "%s %s, %.100s", when,
                 is_past                           ? "the copy wrote past the bytes that it copies"
                 : content == BENCH_CONTENT_COPIED ? "the copy has wrong bytes"
                                                   : "what was uploaded is not there",
                 finding.note);
        snprintf(finding.note, sizeof finding.note, "%s", what);
        if (!task->reached[0])
            snprintf(finding.clause, sizeof finding.clause, "bandwidth.bits.first");
    }
    ret->finding = finding;
    ret->finding.verdict = verdict;
    return false;
}

/* Before the first launch: what was uploaded is what the task begins with, so that a digest can
 * tell bits apart. Later each buffer holds what the launches or copies since the beginning were to
 * leave. The sources of copies hold the image; a single buffer's is the pristine one. */
static bool task_check(struct task *task, bool is_first, const char *when, struct bench_times *ret)
{
    const bool is_copy = task->kind->is_copy;
    const struct bench_buffers *buffers = &task->worker->buffers;
    struct bench_watch *watch = &task->worker->watch;
    int wrong = 0, first = 0;
    cu_result error = bench_watch_begin(watch);
    if (error == CU_SUCCESS && is_first && !is_copy)
        error = add_digest(task, buffers->buffers[0], task->before);
    for (int slot = 0; error == CU_SUCCESS && slot < task_slots(task) && !is_first; slot++)
        if (task->reached[slot] || !is_copy)
            error = add_digest(task, target_of(task, slot),
                               task->reached[slot] ? task->kind->written : task->before);
    for (int pair = 0; error == CU_SUCCESS && is_copy && pair < bench_buffers_pairs(buffers);
         pair++) {
        cu_address source, target;
        bench_buffers_pair(buffers, (uint64_t)pair, &source, &target);
        error = add_digest(task, source, BENCH_CONTENT_IMAGE);
    }
    error = error ? error : bench_watch_end(watch, &wrong, &first);
    if (error != CU_SUCCESS)
        return task_set_error(ret, task->worker, error, "taking a digest");
    if (wrong > 0 && task->kind->is_library && !is_first)
        return task_set_finding(ret, VERDICT_INCONCLUSIVE, "", "cuBLAS: launches differ in bits",
                                when);
    return wrong == 0 ||
           find_wrong(task, watch->looks[first].buffer, watch->looks[first].content, when, ret);
}

/* The operands on each buffer in use. */
static void place_operands(struct task *task)
{
    const struct bench_buffers *buffers = &task->worker->buffers;
    for (int slot = 0; slot < buffers->count; slot++) {
        const cu_address address = buffers->buffers[slot];
        cu_address source, target;
        bench_buffers_pair(buffers, (uint64_t)slot, &source, &target);
        const uint64_t pair[ALGORITHM_OPERANDS_MAX] = {source, target};
        if (task->kind->is_copy)
            task->operands[slot] = callable_place_at(&task->callable, address, pair);
        else
            task->operands[slot] = callable_place(&task->callable, &buffers->arena, address);
    }
}

/* The buffers as they were, or with flipped outputs, and nothing where copies go: a lost one must
 * not find the right bytes. */
static cu_result prepare_buffers(struct task *task, enum bench_content before)
{
    struct bench_worker *worker = task->worker;
    struct bench_buffers *buffers = &worker->buffers;
    const int flipped = before == BENCH_CONTENT_FLIPPED ? buffers->count : 0;
    const int pairs = task->kind->is_copy ? bench_buffers_pairs(buffers) : 0;
    cu_result error = bench_buffers_restore(buffers, worker->stream);
    task->before = before;
    for (int turn = 0; turn < flipped; turn++)
        for (int index = 0; index < buffers->arena.operand_count; index++)
            if (error == CU_SUCCESS && bench_is_output(&buffers->arena, index))
                error = harness_flip(&worker->watch.harness, buffers->buffers[turn],
                                     &buffers->arena, index);
    if (error == CU_SUCCESS)
        error = callable_prepare(&task->callable, &task->operands[0],
                                 (struct bindings_launch){.number = 0});
    error = error ? error : callable_put_window(&task->callable, &task->operands[0]);
    for (int pair = 0; error == CU_SUCCESS && pair < pairs; pair++) {
        cu_address source, target;
        bench_buffers_pair(buffers, (uint64_t)pair, &source, &target);
        error = buffers->device->driver.memset_d8_async(target, BENCH_POISON, buffers->arena.bytes,
                                                        worker->stream);
    }
    return error;
}

/* Takes what a library's launch left on the first buffer, all of it and from the first output to
 * the last, for what each launch must leave. */
static bool take_library(struct task *task, struct bench_times *ret)
{
    struct bench_watch *watch = &task->worker->watch;
    struct bench_buffers *buffers = &task->worker->buffers;
    struct bench_look all = {.buffer = buffers->buffers[0], .bytes = buffers->arena.bytes};
    struct bench_look part = {.buffer = buffers->buffers[0]};
    size_t to;
    int wrong, first;
    bench_written(&buffers->arena, &part.from, &to);
    part.bytes = to - part.from;
    cu_result error = bench_watch_begin(watch);
    error = error ? error : bench_watch_add(watch, &all);
    error = error ? error : bench_watch_add(watch, &part);
    error = error ? error : bench_watch_end(watch, &wrong, &first);
    if (error != CU_SUCCESS)
        return task_set_error(ret, task->worker, error, "taking a digest");
    buffers->digests[BENCH_CONTENT_LIBRARY] = watch->seen[0].sum;
    buffers->digests[BENCH_CONTENT_LIBRARY_PART] = watch->seen[1].sum;
    return watch->seen[0].sum != buffers->digests[task->before] ||
           task_set_finding(ret, VERDICT_INCONCLUSIVE, "", "cuBLAS wrote nothing", "");
}

/* Runs the task once on every buffer, or from each source to its target, and checks the bits. */
static bool check_first(struct task *task, struct bench_times *ret)
{
    enum { SCRUB = 2 }; /* of the seed's random numbers */
    struct bench_worker *worker = task->worker;
    cu_result error = prepare_buffers(task, task->kind->first);
    if (error == CU_SUCCESS && !task_check(task, true, "before the first launch", ret))
        return false;
    /* The launches on the other buffers compute the same: what one of them must not find is what
     * the first must not. */
    if (error == CU_SUCCESS)
        error = callable_scrub(&task->callable, &worker->watch.harness,
                               random_word(worker->buffers.test_case.seed, SCRUB));
    if (error != CU_SUCCESS)
        return task_set_error(ret, worker, error, "preparing the buffers");
    for (int slot = 0; error == CU_SUCCESS && slot < task_slots(task); slot++) {
        task->piece = (uint64_t)slot;
        error = task_enqueue(task, (uint64_t)slot);
    }
    error = error ? error : worker->buffers.device->driver.stream_synchronize(worker->stream);
    if (error != CU_SUCCESS) {
        device_call_finding(&ret->finding, worker->buffers.device, error, true, "launching");
        return false;
    }
    if (task->kind->is_library && !take_library(task, ret))
        return false;
    return task_check(task, false, "before timing", ret);
}

/* Times some launches on a buffer that they have been on before: something else may disturb one. By
 * the device's events, since a busy host makes no launch longer. */
static bool is_short(struct task *task)
{
    enum { TRIES = 3 };
    static const float short_ms = (float)(BENCH_SAMPLE_US * 0.3e-3);
    const struct cuda_driver *driver = &task->worker->buffers.device->driver;
    const cu_stream stream = task->worker->stream;
    cu_event begin = NULL, end = NULL;
    float ms = short_ms;
    cu_result error = driver->event_create(&begin, 0);
    error = error ? error : driver->event_create(&end, 0);
    for (int try = 0; try < TRIES && error == CU_SUCCESS && ms >= short_ms; try++) {
        error = driver->event_record(begin, stream);
        error = error ? error : task_enqueue(task, 0);
        error = error ? error : driver->event_record(end, stream);
        error = error ? error : driver->stream_synchronize(stream);
        error = error ? error : driver->event_elapsed_ms(&ms, begin, end);
    }
    if (end != NULL)
        driver->event_destroy(end);
    if (begin != NULL)
        driver->event_destroy(begin);
    return error == CU_SUCCESS && ms < short_ms;
}

static void time_task(struct task *task, struct bench_times *ret)
{
    struct bench_worker *worker = task->worker;
    struct bench_buffers *buffers = &worker->buffers;
    struct device *device = buffers->device;
    char what[FINDING_NOTE_BYTES];
    const bool is_call = task->kind->is_call;
    task->callable =
        (struct callable){.device = device, .stream = worker->stream, .holder = &worker->holder};
    if (!task->kind->make(task, ret))
        return;
    place_operands(task);
    double began_s = clock_now_s();
    bool is_right = check_first(task, ret);
    /* Many short launches make a sample: they take turns on all buffers. An error of `is_short`
     * comes again. */
    if (is_right && buffers->count != buffers->all && !device_kind(&device->info)->is_emulated &&
        is_short(task)) {
        buffers->count = buffers->all;
        place_operands(task);
        memset(task->reached, 0, sizeof task->reached);
        is_right = check_first(task, ret);
    }
    ret->phase_s[BENCH_PHASE_CHECK] = clock_now_s() - began_s;
    if (!is_right)
        return;
    /* A call that returns when all has been done never does on a stream that is held. */
    const int hold_ms = task->callable.is_blocking ? 0 : TIMER_HOLD_MS;
    cu_result error = prepare_buffers(task, BENCH_CONTENT_IMAGE);
    struct bench_timer timer = {
        device, worker->stream, &worker->nvml, task_enqueue,
        task,   task_around(),  hold_ms,       bench_warm_up_s(began_s - worker->timed_until_s)};
    task->piece = 0;
    memset(task->reached, 0, sizeof task->reached);
    began_s = clock_now_s();
    ret->buffers = buffers->count;
    if (is_call)
        callable_host_call(&task->callable, task->job->latency, buffers->buffers[0],
                           buffers->staging);
    if (error == CU_SUCCESS && is_call)
        error = bench_latency_time(&task->callable, &task->operands[0], &worker->nvml,
                                   task->job->samples, ret);
    else if (error == CU_SUCCESS)
        error = bench_time(&timer, task->job->samples, ret);
    const double timed_s = clock_now_s();
    worker->timed_until_s = is_call ? 0 : timed_s;
    ret->phase_s[BENCH_PHASE_SAMPLES] =
        timed_s - began_s - ret->phase_s[BENCH_PHASE_WARM_UP] - ret->phase_s[BENCH_PHASE_SENSORS];
    if (error != CU_SUCCESS) { /* a launch's, if it failed, or if the context is lost with it */
        const bool is_lost = device->driver.stream_synchronize(worker->stream) != CU_SUCCESS;
        device_call_finding(&ret->finding, device, error, task->is_refused || is_lost, "timing");
        return;
    }
    const struct finding timed = ret->finding; /* PASS, unless the events' time is not the host's */
    if (!device_misaligned(device, &ret->finding) &&
        (is_call || task_check(task, false, "after timing", ret))) {
        ret->finding = timed;
        snprintf(what, sizeof what,
                 "the bits after timing are right, but %d of the digests taken between samples are "
                 "wrong, so no bandwidth is given",
                 task->wrong);
        if (task->kind->is_library && timed.verdict == VERDICT_PASS)
            snprintf(ret->finding.note, sizeof ret->finding.note, "%s", worker->holder.cublas.name);
        if (task->wrong > 0)
            task_set_finding(ret, task->kind->is_library ? VERDICT_INCONCLUSIVE : VERDICT_FAIL,
                             "bandwidth.bits.digest", what, "");
    }
    ret->phase_s[BENCH_PHASE_CHECK] += clock_now_s() - timed_s;
}

static struct bench_worker *open_worker(struct device *device, struct bench_times *ret)
{
    struct bench_worker *worker = heap_take(1, sizeof *worker);
    worker->buffers.device = device;
    struct reason reason = {.text = "the host device has no sensors"};
    cu_result error = device->driver.ctx_set_current(device->context);
    error = error ? error : device->driver.stream_create(&worker->stream, 1);
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
    struct fuzz_case test_case;
    struct case_error wrong;
    const char *doing = "";
    memset(ret, 0, sizeof *ret);
    ret->job = job->job;
    if (*state == NULL)
        *state = open_worker(device, ret);
    struct bench_worker *worker = *state;
    if (worker == NULL)
        return;
    struct task *task = heap_take(1, sizeof *task);
    snprintf(ret->sensors_why, sizeof ret->sensors_why, "%s", worker->sensors_why);
    task->worker = worker;
    task->job = job;
    task->kind = task_kind(job);
    const double began_s = clock_now_s();
    bool is_held = case_parse(job->text, &test_case, &wrong) ||
                   task_set_finding(ret, VERDICT_ERROR, "", "the bench case", wrong.message);
    if (is_held) {
        const cu_result error = bench_buffers_hold(&worker->buffers, job, &test_case,
                                                   bench_copy_bytes(&test_case), &doing);
        is_held = error == CU_SUCCESS || task_set_error(ret, worker, error, doing);
    }
    is_held = is_held && bench_watch_open(&worker->watch, device, worker->stream, &ret->finding);
    ret->phase_s[BENCH_PHASE_MAKE] = clock_now_s() - began_s;
    if (is_held) {
        task->copy_bytes = worker->buffers.copy_bytes;
        time_task(task, ret);
        const cu_result error = callable_release(&task->callable);
        if (error != CU_SUCCESS && ret->finding.verdict == VERDICT_PASS)
            task_set_error(ret, worker, error, "ending the kernel's window");
    }
    free(task);
}

void bench_worker_close(struct bench_worker *state)
{
    if (state == NULL)
        return;
    bench_watch_close(&state->watch);
    callable_holder_release(&state->holder, state->buffers.device);
    bench_buffers_free(&state->buffers);
    state->buffers.device->driver.stream_destroy(state->stream);
    nvml_close(&state->nvml);
    free(state);
}
