/* Digests of a task's buffers, before, between and after its samples (task.h). Clauses:
 * bandwidth.bits.first, bandwidth.bits.last, bandwidth.bits.digest. */
#include <stdio.h>
#include <string.h>

#include "conformance/work/task.h"

/* The buffer that is written in a slot. */
static cu_address target_of(const struct task *task, int slot)
{
    const struct bench_buffers *buffers = &task->worker->buffers;
    cu_address source, target = buffers->buffers[slot];
    if (task_is_copy(task->job))
        bench_buffers_pair(buffers, (uint64_t)slot, &source, &target);
    return target;
}

static cu_address written_in(const struct task *task, uint64_t turn)
{
    return target_of(task, task_slot(task, turn));
}

/* How many turns write a buffer each. */
static int turns_apart(void *context)
{
    const struct task *task = context;
    return task->worker->buffers.rotates ? task_slots(task) : 1;
}

static void around_move(void *context)
{
    struct task *task = context;
    task->piece++;
}

static int around_calls(void *context, int launches)
{
    int apart = turns_apart(context);
    return 1 + 2 * (launches < apart ? launches : apart);
}

static cu_result around_begin(void *context)
{
    struct task *task = context;
    return bench_watch_begin(&task->worker->watch);
}

/* What a buffer must hold that a turn has written. */
static enum bench_content written_content(const struct task *task)
{
    return task_is_copy(task->job) ? BENCH_CONTENT_COPIED : BENCH_CONTENT_RIGHT;
}

static cu_result add_digest(struct task *task, cu_address buffer, enum bench_content content)
{
    const struct bench_look look = {.buffer = buffer,
                                    .bytes = task->worker->buffers.arena.bytes,
                                    .right = task->worker->buffers.digests[content],
                                    .is_right = true};
    return bench_watch_add(&task->worker->watch, &look);
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
    if (task_is_copy(task->job))
        return driver->memset_d8_async(buffer, BENCH_STAIN, task->copy_bytes, worker->stream);
    cu_result error = CU_SUCCESS;
    for (int index = 0; error == CU_SUCCESS && index < arena->operand_count; index++) {
        const struct arena_operand *operand = &arena->operands[index];
        if (!bench_is_output(arena, index))
            continue;
        error = driver->memset_d8_async(buffer + operand->begin, BENCH_STAIN,
                                        operand->end - operand->begin, worker->stream);
        task->is_stained = task->is_stained || bench_has_gaps(arena, index);
    }
    return error;
}

/* What a launch does not write is not read, either: the caches keep more of what it finds there. */
static cu_result around_peek(void *context, uint64_t turn, bool was_launched)
{
    struct task *task = context;
    const struct bench_buffers *buffers = &task->worker->buffers;
    const bool is_copy = task_is_copy(task->job);
    struct bench_look look = {
        .buffer = written_in(task, turn),
        .right = buffers->digests[is_copy ? BENCH_CONTENT_COPIED_PART : BENCH_CONTENT_RIGHT_PART],
        .is_right = was_launched};
    size_t to = task->copy_bytes;
    if (!is_copy)
        bench_written(&buffers->arena, &look.from, &to);
    look.bytes = to - look.from;
    return bench_watch_add(&task->worker->watch, &look);
}

/* The gaps get back what was uploaded there, and the last launch is made again. */
static cu_result mend_gaps(struct task *task, uint64_t turn)
{
    const struct bench_worker *worker = task->worker;
    const struct bench_buffers *buffers = &worker->buffers;
    size_t from, to;
    task->is_stained = false;
    bench_written(&buffers->arena, &from, &to);
    const cu_result error = buffers->device->driver.memcpy_dtod_async(
        written_in(task, turn) + from, buffers->pristine + from, to - from, worker->stream);
    return error == CU_SUCCESS ? task_enqueue(task, turn) : error;
}

/* Each buffer once: of several launches on one the last is seen. */
static cu_result around_look(void *context, uint64_t turn, uint64_t end)
{
    struct task *task = context;
    uint64_t apart = (uint64_t)turns_apart(task);
    cu_result error = task->is_stained ? mend_gaps(task, end - 1) : CU_SUCCESS;
    for (turn = end - turn > apart ? end - apart : turn; error == CU_SUCCESS && turn < end; turn++)
        error = add_digest(task, written_in(task, turn), written_content(task));
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

/* What the buffers hold, by digests: of each its address and what it must be. */
struct looks {
    cu_address buffers[BENCH_WATCH_MAX];
    enum bench_content contents[BENCH_WATCH_MAX];
    int count;
};

static void look_at(struct looks *looks, cu_address buffer, enum bench_content content)
{
    looks->buffers[looks->count] = buffer;
    looks->contents[looks->count++] = content;
}

/* The digest is not that of the right bits: the bytes say why. */
static bool find_wrong(struct task *task, cu_address buffer, enum bench_content content,
                       const char *when, struct bench_times *ret)
{
    struct finding finding = {0};
    char what[FINDING_NOTE_BYTES];
    const enum verdict verdict = bench_buffers_find(&task->worker->buffers, buffer, content,
                                                    task->before, task->worker->stream, &finding);
    if (verdict == VERDICT_PASS) {
        snprintf(what, sizeof what, "%s the device's digest cannot tell right bits from wrong ones",
                 when);
        task_set_finding(ret, VERDICT_FAIL, "bandwidth.bits.digest", what, "");
        return false;
    }
    if (verdict == VERDICT_FAIL && content == BENCH_CONTENT_RIGHT) {
        snprintf(finding.note, sizeof finding.note,
                 "wrong bits %s (%s, row %lld, column %lld), so it has no bandwidth", when,
                 place_name(finding.place), (long long)finding.row, (long long)finding.column);
    } else if (verdict == VERDICT_FAIL) {
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
    ret->verdict = (int32_t)verdict;
    ret->finding = finding;
    return false;
}

static bool take_looks(struct task *task, const struct looks *looks, const char *when,
                       struct bench_times *ret)
{
    struct bench_worker *worker = task->worker;
    int wrong = 0, first = 0;
    cu_result error = bench_watch_begin(&worker->watch);
    for (int index = 0; error == CU_SUCCESS && index < looks->count; index++)
        error = add_digest(task, looks->buffers[index], looks->contents[index]);
    if (error == CU_SUCCESS)
        error = bench_watch_end(&worker->watch, &wrong, &first);
    if (error != CU_SUCCESS)
        return task_set_error(ret, worker, error, "taking a digest");
    return wrong == 0 || find_wrong(task, looks->buffers[first], looks->contents[first], when, ret);
}

/* The sources of copies; a single buffer's is the pristine image. */
static void look_at_sources(const struct task *task, struct looks *looks)
{
    const struct bench_buffers *buffers = &task->worker->buffers;
    for (int pair = 0; pair < bench_buffers_pairs(buffers); pair++) {
        cu_address source, target;
        bench_buffers_pair(buffers, (uint64_t)pair, &source, &target);
        look_at(looks, source, BENCH_CONTENT_IMAGE);
    }
}

bool task_check_image(struct task *task, struct bench_times *ret)
{
    struct looks looks = {.count = 0};
    if (task_is_copy(task->job))
        look_at_sources(task, &looks);
    else
        look_at(&looks, task->worker->buffers.buffers[0], task->before);
    return take_looks(task, &looks, "before the first launch", ret);
}

bool task_check(struct task *task, const char *when, struct bench_times *ret)
{
    const bool is_copy = task_is_copy(task->job);
    struct looks looks = {.count = 0};
    for (int slot = 0; slot < task_slots(task); slot++)
        if (task->reached[slot] || !is_copy)
            look_at(&looks, target_of(task, slot),
                    task->reached[slot] ? written_content(task) : task->before);
    if (is_copy)
        look_at_sources(task, &looks);
    return take_looks(task, &looks, when, ret);
}

bool task_check_samples(const struct task *task, struct bench_times *ret)
{
    char what[FINDING_NOTE_BYTES];
    if (task->wrong == 0)
        return true;
    snprintf(what, sizeof what,
             "after timing the bits are right, but %d of the digests taken between samples are not "
             "those of the right bits, so it has no bandwidth",
             task->wrong);
    task_set_finding(ret, VERDICT_FAIL, "bandwidth.bits.digest", what, "");
    return false;
}
