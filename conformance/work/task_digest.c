/* Digests of what each sample of a task leaves in its buffers (task.h). Clause:
 * bandwidth.bits.digest. */
#include <stdio.h>

#include "conformance/work/task.h"
#include "conformance/base/reason.h"

static const char digest_lost[] =
    "before timing the device's digest cannot tell right bits from wrong ones";

/* The buffer that a turn writes. */
static cu_address written_in(const struct task *task, uint64_t turn)
{
    const struct bench_buffers *buffers = &task->worker->buffers;
    cu_address source, target = buffers->buffers[turn % (uint64_t)buffers->count];
    if (task_is_copy(task->job))
        bench_buffers_pair(buffers, turn, &source, &target);
    return target;
}

/* How many turns write a buffer each. */
static int turns_apart(void *context)
{
    const struct task *task = context;
    const struct bench_buffers *buffers = &task->worker->buffers;
    return task_is_copy(task->job) ? bench_buffers_pairs(buffers) : buffers->count;
}

static int around_calls(void *context, int launches)
{
    int apart = turns_apart(context);
    return 1 + (launches < apart ? launches : apart);
}

static cu_result around_begin(void *context)
{
    struct task *task = context;
    return bench_watch_begin(&task->worker->watch);
}

/* The digests have read what the launch before left in the caches, and written back what it wrote
 * there: it is launched again. */
static cu_result around_settle(void *context, uint64_t turn)
{
    struct task *task = context;
    return turn > 0 ? task_enqueue(task, turn - 1) : CU_SUCCESS;
}

/* Each buffer once: of several launches on one the last is seen. */
static cu_result around_look(void *context, uint64_t turn, uint64_t end)
{
    struct task *task = context;
    uint64_t apart = (uint64_t)turns_apart(task);
    cu_result error = CU_SUCCESS;
    for (turn = end - turn > apart ? end - apart : turn; error == CU_SUCCESS && turn < end; turn++)
        error = bench_watch_add(&task->worker->watch, written_in(task, turn));
    return error;
}

static cu_result around_end(void *context)
{
    struct task *task = context;
    return bench_watch_end(&task->worker->watch);
}

const struct bench_around task_around = {.apart = turns_apart,
                                         .calls = around_calls,
                                         .begin = around_begin,
                                         .settle = around_settle,
                                         .look = around_look,
                                         .end = around_end};

static cu_result open_watch(struct task *task, struct reason *ret_reason)
{
    struct bench_worker *worker = task->worker;
    return bench_watch_open(&worker->watch, worker->buffers.device, worker->stream, ret_reason);
}

bool task_learn_rest(struct task *task, struct bench_times *ret)
{
    struct reason reason = {.text = ""};
    size_t rest = task->worker->buffers.arena.bytes - task->copy_bytes;
    bool taken = false;
    if (!task_is_copy(task->job))
        return true;
    cu_result error = open_watch(task, &reason);
    if (error == CU_SUCCESS)
        error = bench_watch_learn(&task->worker->watch, written_in(task, 0) + task->copy_bytes,
                                  rest, &taken);
    if (error != CU_SUCCESS)
        return task_set_error(ret, task->worker, error,
                              reason.text[0] ? reason.text : "taking a digest");
    if (!taken)
        task_set_finding(ret, VERDICT_FAIL, "bandwidth.bits.digest", digest_lost, "");
    return taken;
}

bool task_check_rest(struct task *task, struct bench_times *ret)
{
    struct bench_watch *watch = &task->worker->watch;
    int pairs = task_is_copy(task->job) ? turns_apart(task) : 0;
    cu_result error = pairs > 0 ? bench_watch_begin(watch) : CU_SUCCESS;
    for (int pair = 0; error == CU_SUCCESS && pair < pairs; pair++)
        error = bench_watch_add(watch, written_in(task, (uint64_t)pair) + task->copy_bytes);
    if (error == CU_SUCCESS && pairs > 0)
        error = bench_watch_end(watch);
    if (error != CU_SUCCESS)
        return task_set_error(ret, task->worker, error, "taking a digest");
    if (pairs == 0 || watch->wrong + watch->lost == 0)
        return true;
    task_set_finding(ret, VERDICT_FAIL, "bandwidth.bits.digest",
                     "before timing the copy wrote past the bytes that it copies", "");
    return false;
}

/* The buffer as it was before the launch must have another digest. */
bool task_learn_digest(struct task *task, struct bench_times *ret)
{
    struct bench_worker *worker = task->worker;
    const struct bench_buffers *buffers = &worker->buffers;
    struct reason reason = {.text = ""};
    bool taken = false;
    cu_result error = open_watch(task, &reason);
    if (error == CU_SUCCESS)
        error =
            bench_watch_learn(&worker->watch, written_in(task, 0), buffers->arena.bytes, &taken);
    if (error == CU_SUCCESS)
        error = task_prepare_buffers(task);
    if (error == CU_SUCCESS)
        error = bench_watch_begin(&worker->watch);
    if (error == CU_SUCCESS)
        error = bench_watch_add(&worker->watch, written_in(task, 0));
    if (error == CU_SUCCESS)
        error = bench_watch_end(&worker->watch);
    if (error != CU_SUCCESS)
        return task_set_error(ret, worker, error, reason.text[0] ? reason.text : "taking a digest");
    if (taken && worker->watch.wrong == 1 && worker->watch.lost == 0) {
        worker->watch.wrong = 0;
        return true;
    }
    task_set_finding(ret, VERDICT_FAIL, "bandwidth.bits.digest", digest_lost, "");
    return false;
}

bool task_check_digests(const struct task *task, struct bench_times *ret)
{
    char what[FINDING_NOTE_BYTES];
    int wrong = task->worker->watch.wrong + task->worker->watch.lost;
    if (wrong == 0)
        return true;
    snprintf(what, sizeof what,
             "after timing the bits are right, but %d of the digests taken between samples are not "
             "those of the right bits, so it has no bandwidth",
             wrong);
    task_set_finding(ret, VERDICT_FAIL, "bandwidth.bits.digest", what, "");
    return false;
}
