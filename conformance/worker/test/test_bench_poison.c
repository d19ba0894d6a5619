/* What is put over outputs before a timed launch, and what is looked at after it. */
#include "conformance/test/made_device.h"
#include "conformance/worker/speed_worker.h"
#include "conformance/test/made_subject.h"

static void hold(struct bench_worker *worker, struct bench_job *job, const char *text)
{
    struct fuzz_case test_case;
    struct finding finding;
    const char *doing;
    strcpy(job->text, text);
    test_case = made_case(text);
    ck_assert(case_digests(&test_case, NULL, job->digests));
    ck_assert_int_eq(
        bench_buffers_hold(&worker->buffers, job, &test_case, bench_copy_bytes(&test_case), &doing),
        CU_SUCCESS);
    worker->stream = worker->buffers.device->stream;
    ck_assert(bench_watch_open(&worker->watch, worker->buffers.device, worker->stream, &finding));
}

/* Poison is on each byte of the outputs and of their gaps, or of what is copied, and on no other.
 */
static void poison_and_look(struct task *task)
{
    const struct bench_buffers *buffers = &task->worker->buffers;
    const struct arena *arena = &buffers->arena;
    const bool is_copy = task->kind->is_copy;
    const struct arena_operand *output = &arena->operands[arena->operand_count - 1];
    const size_t from = is_copy ? 0 : output->begin;
    const size_t to = is_copy ? task->copy_bytes : output->end;
    unsigned char *buffer = (unsigned char *)(uintptr_t)buffers->buffers[0];
    memset(buffer, 0, arena->bytes);
    ck_assert_int_eq(task_around()->poison(task, 1), CU_SUCCESS);
    for (size_t byte = 0; byte < arena->bytes; byte++)
        ck_assert_msg((buffer[byte] != 0) == (byte >= from && byte < to), "byte %zu", byte);
}

/* How many peeks at the buffer are not as they must be. */
static int wrong_peek(struct task *task, bool was_launched)
{
    task->wrong = 0;
    ck_assert_int_eq(task_around()->begin(task), CU_SUCCESS);
    ck_assert_int_eq(task_around()->peek(task, 1, was_launched), CU_SUCCESS);
    ck_assert_int_eq(task_around()->end(task), CU_SUCCESS);
    return task->wrong;
}

START_TEST(outputs_are_poisoned_and_nothing_else, "bandwidth.samples.difference")
{
    static const char *const rows[] = {"offset_copy n=3000 offset=3 fill=uniform seed=4",
                                       "offset_copy n=3001 element=1 offset=1 fill=uniform seed=4",
                                       "strided_copy n=500 stride=3 fill=uniform seed=5",
                                       "matmul m=33 n=35 k=7 ldc=40 fill=uniform seed=7"};
    struct device *device = made_device();
    struct bench_worker worker = {.buffers = {.device = device}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        for (int kind = BENCH_KERNEL; kind <= BENCH_COPY; kind++) {
            struct bench_job job = {.kind = kind};
            hold(&worker, &job, rows[row]);
            struct task task = {.worker = &worker,
                                .job = &job,
                                .kind = task_kind(&job),
                                .copy_bytes = worker.buffers.copy_bytes};
            callable_copy(&task.callable, 0); /* nothing is launched */
            poison_and_look(&task);
        }
    bench_watch_close(&worker.watch);
    bench_buffers_free(&worker.buffers);
}

/* A peek at poison finds it, and no right bits; a peek after a launch finds these alone, at each
 * byte that was to be written. What lies elsewhere is for a look. */
START_TEST(poison_is_not_taken_for_right, "bandwidth.bits.digest", "bandwidth.samples.difference")
{
    struct device *device = made_device();
    struct bench_worker worker = {.buffers = {.device = device}};
    struct bench_job job = {.kind = BENCH_KERNEL};
    hold(&worker, &job, "adjacent_difference n=3001 fill=uniform seed=4");
    struct task task = {.worker = &worker, .job = &job, .kind = task_kind(&job)};
    const struct arena *arena = &worker.buffers.arena;
    unsigned char *right = aligned_alloc(ARENA_ALIGNMENT_BYTES, arena->bytes);
    unsigned char *buffer = (unsigned char *)(uintptr_t)worker.buffers.buffers[0];
    arena_expect(arena, 0, right);
    for (int launched = 0; launched < 2; launched++) {
        memcpy(buffer, right, arena->bytes);
        ck_assert_int_eq(wrong_peek(&task, launched), !launched);
        ck_assert_int_eq(task_around()->poison(&task, 1), CU_SUCCESS);
        ck_assert_int_eq(wrong_peek(&task, launched), launched);
    }
    const size_t places[] = {arena->operands[1].begin, arena->operands[1].end - 1, 0};
    for (size_t place = 0; place < 3; place++) {
        memcpy(buffer, right, arena->bytes);
        buffer[places[place]] ^= 0x10;
        ck_assert_int_eq(wrong_peek(&task, true), place < 2);
    }
    free(right);
    bench_watch_close(&worker.watch);
    bench_buffers_free(&worker.buffers);
}
