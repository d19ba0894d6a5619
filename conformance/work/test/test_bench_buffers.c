/* The buffers of a timing: made by threads, as cold as they must be, and compared whole. */
#include "conformance/work/buffers.h"
#include "conformance/test/made_device.h"
#include "conformance/work/harness.h"
#include "conformance/test/made_subject.h"

/* A job with the digests of its case, which the golden makes. */
static struct bench_job job_of(const char *text, uint64_t cold_bytes, struct fuzz_case *ret_case)
{
    struct bench_job job = {.rotation.cold_bytes = cold_bytes};
    *ret_case = made_case(text);
    ck_assert(case_digests(ret_case, NULL, job.digests));
    strcpy(job.text, text);
    return job;
}

/* Between the elements of the output. */
static void poison_gaps(const struct arena *arena, unsigned char *bytes)
{
    const struct arena_operand *output = &arena->operands[arena->operand_count - 1];
    unsigned char *is_element = testing_new(arena->bytes);
    arena_readable(arena, is_element);
    for (size_t byte = output->begin; byte < output->end; byte++)
        if (!is_element[byte])
            bytes[byte] = BENCH_POISON;
}

/* Threads make a case window by window; the golden makes it whole. What lies on the device is the
 * image, and the digests are those of all bytes. */
START_TEST(threads_make_the_same_bytes, "bandwidth.bits.first")
{
    static const char *const texts[] = {
        "offset_copy n=1300000 offset=3 fill=uniform seed=4",
        "offset_copy n=1300000 offset=1 element=1 fill=uniform seed=4",
        "strided_copy n=500000 stride=5 fill=uniform seed=5",
        "adjacent_difference n=1300000 fill=uniform seed=6",
        "matmul m=1500 n=1501 k=32 ldc=1503 fill=uniform seed=7",
        "aat m=1500 k=33 fill=uniform seed=8",
        "offset_copy n=0 fill=uniform seed=9",
    };
    struct device *device = made_device();
    struct bench_buffers buffers = {.device = device};
    for (size_t index = 0; index < sizeof texts / sizeof texts[0]; index++) {
        struct fuzz_case test_case;
        const char *doing;
        const struct bench_job job = job_of(texts[index], 0, &test_case);
        struct arena arena = arena_layout(&test_case);
        const size_t copied = bench_copy_bytes(&test_case);
        ck_assert_int_eq(bench_buffers_hold(&buffers, &job, &test_case, copied, &doing),
                         CU_SUCCESS);
        unsigned char *expected = aligned_alloc(ARENA_ALIGNMENT_BYTES, arena.bytes);
        unsigned char *image = aligned_alloc(ARENA_ALIGNMENT_BYTES, arena.bytes);
        arena_expect(&arena, 0, expected);
        ck_assert_uint_eq(job.digests[BENCH_CONTENT_RIGHT], harness_sum(expected, arena.bytes, 0));
        /* The same inputs, and no output element of the golden's twice. */
        memcpy(image, (unsigned char *)(uintptr_t)buffers.pristine, arena.bytes);
        ck_assert_uint_eq(job.digests[BENCH_CONTENT_IMAGE], harness_sum(image, arena.bytes, 0));
        arena_flip_window(&arena, 0, arena.bytes, image);
        ck_assert_uint_eq(job.digests[BENCH_CONTENT_FLIPPED], harness_sum(image, arena.bytes, 0));
        arena_flip_window(&arena, 0, arena.bytes, image);
        const struct arena_operand *output = &arena.operands[arena.operand_count - 1];
        ck_assert_mem_eq(image, expected, output->from);
        ck_assert_uint_eq(job.digests[BENCH_CONTENT_COPIED_PART], harness_sum(image, copied, 0));
        poison_gaps(&arena, expected);
        ck_assert_uint_eq(
            job.digests[BENCH_CONTENT_RIGHT_PART],
            harness_sum(expected + output->from, output->to - output->from, output->from));
        memset(image + copied, BENCH_POISON, arena.bytes - copied);
        ck_assert_uint_eq(job.digests[BENCH_CONTENT_COPIED], harness_sum(image, arena.bytes, 0));
        free(expected);
        free(image);
    }
    bench_buffers_free(&buffers);
}

/* What copies touch in one round is as much as the launches' buffers hold, and what one has written
 * is the source of no other. */
START_TEST(copies_are_as_cold_as_launches, "bandwidth.regime.cold")
{
    static const struct {
        uint64_t cold_bytes;
        size_t copy_bytes;
        int count;
    } table[] = {{0, 12000, 1},       {1, 12000, 1},       {20000, 12000, 1},
                 {24001, 12000, 4},   {200000, 12000, 18}, {200001, 16, BENCH_BUFFERS_MAX},
                 {400000, 200000, 10}};
    const char *text = "offset_copy n=3000 fill=uniform seed=9", *doing;
    struct device *device = made_device();
    struct bench_buffers buffers = {.device = device};
    struct fuzz_case test_case;
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        const struct bench_job job = job_of(text, table[row].cold_bytes, &test_case);
        ck_assert_int_eq(
            bench_buffers_hold(&buffers, &job, &test_case, table[row].copy_bytes, &doing),
            CU_SUCCESS);
        int pairs = bench_buffers_pairs(&buffers);
        ck_assert_int_eq(buffers.count, table[row].count);
        ck_assert(2 * (size_t)pairs * table[row].copy_bytes >= table[row].cold_bytes ||
                  buffers.count == BENCH_BUFFERS_MAX);
        ck_assert((size_t)buffers.count * buffers.arena.bytes >= table[row].cold_bytes);
        for (uint64_t turn = 0; turn < 2 * (uint64_t)pairs; turn++) {
            cu_address source, target, other_source, other_target;
            int index = bench_buffers_pair(&buffers, turn, &source, &target);
            ck_assert(buffers.buffers[index] == target && source != target);
            bench_buffers_pair(&buffers, turn + 1, &other_source, &other_target);
            ck_assert(other_source != target);
            ck_assert(pairs == 1 || (other_source != source && other_target != target));
        }
    }
    bench_buffers_free(&buffers);
}

/* Launches of a sample have a buffer each, as far as the share of the memory goes, where they have
 * more than one; of long ones there are few. The arena of this case has 40,448 bytes. */
START_TEST(a_round_is_a_sample, "bandwidth.regime.cold")
{
    static const struct {
        struct bench_rotation rotation;
        uint64_t memory_bytes;
        int all, least;
    } table[] = {
        {{0, 2000000, 0}, UINT64_MAX, 1, 1},         {{0, 2000000, 6}, UINT64_MAX, 6, 4},
        {{12000, 2000000, 0}, UINT64_MAX, 1, 1},     {{200000, 199999, 6}, UINT64_MAX, 18, 18},
        {{200000, 2000000, 0}, UINT64_MAX, 168, 18}, {{200000, 2000001, 0}, 8 * 4044800, 102, 18},
        {{200000, 2000002, 0}, 8000, 18, 18}};
    struct fuzz_case test_case;
    const char *doing;
    struct device *device = made_device();
    struct bench_buffers buffers = {.device = device};
    struct bench_job job = job_of("offset_copy n=3000 fill=uniform seed=9", 0, &test_case);
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        job.rotation = table[row].rotation;
        device->info.memory_bytes = table[row].memory_bytes;
        ck_assert_int_eq(bench_buffers_hold(&buffers, &job, &test_case, 12000, &doing), CU_SUCCESS);
        ck_assert_uint_eq(buffers.arena.bytes, 40448);
        ck_assert_int_eq(buffers.all, table[row].all);
        ck_assert_int_eq(buffers.least, table[row].least);
        ck_assert_int_eq(buffers.count, table[row].least);
        ck_assert_int_eq(buffers.rotates, table[row].all > 6);
        buffers.count = buffers.all; /* as a job may leave it */
        ck_assert_int_eq(bench_buffers_hold(&buffers, &job, &test_case, 12000, &doing), CU_SUCCESS);
        ck_assert_int_eq(buffers.count, table[row].least);
    }
    bench_buffers_free(&buffers);
}

enum { COPIED_BYTES = 12000 };

static cu_result no_memory(cu_address *ret, size_t bytes)
{
    (void)ret, (void)bytes;
    return CU_ERROR_OUT_OF_MEMORY;
}

static enum verdict find(const struct bench_buffers *buffers, enum bench_content content,
                         struct finding *ret)
{
    const enum bench_content before =
        content == BENCH_CONTENT_FLIPPED ? BENCH_CONTENT_FLIPPED : BENCH_CONTENT_IMAGE;
    return bench_buffers_find(buffers, buffers->buffers[0], content, before,
                              buffers->device->stream, ret);
}

/* A buffer that holds what it must, and the same with one bit wrong at its last byte and at the
 * last that a copy writes. */
static void compare_each_content(struct bench_buffers *buffers)
{
    static const char *const clauses[BENCH_CONTENT_COUNT][2] = {
        [BENCH_CONTENT_IMAGE] = {"bandwidth.bits.last", "bandwidth.bits.last"},
        [BENCH_CONTENT_FLIPPED] = {"bandwidth.bits.last", "bandwidth.bits.last"},
        [BENCH_CONTENT_RIGHT] = {"memory.guards.untouched", "memory.inputs.unchanged"},
        [BENCH_CONTENT_COPIED] = {"bandwidth.bits.digest", "bandwidth.bits.last"}};
    const size_t bytes = buffers->arena.bytes;
    unsigned char *target = (unsigned char *)(uintptr_t)buffers->buffers[0];
    const size_t places[] = {bytes - 1, COPIED_BYTES - 1};
    memcpy(target, (unsigned char *)(uintptr_t)buffers->pristine, bytes);
    for (int content = 0; content <= BENCH_CONTENT_COPIED; content++) {
        struct finding finding;
        if (content == BENCH_CONTENT_FLIPPED)
            arena_flip_window(&buffers->arena, 0, bytes, target);
        if (content == BENCH_CONTENT_RIGHT) /* a copy's golden is its source */
            memcpy(target + buffers->arena.operands[1].begin,
                   target + buffers->arena.operands[0].begin, 3000 * sizeof(float));
        if (content == BENCH_CONTENT_COPIED) {
            memcpy(target, (unsigned char *)(uintptr_t)buffers->pristine, bytes);
            memset(target + COPIED_BYTES, BENCH_POISON, bytes - COPIED_BYTES);
        }
        ck_assert_int_eq(find(buffers, (enum bench_content)content, &finding), VERDICT_PASS);
        ck_assert_uint_eq(harness_sum(target, bytes, 0), buffers->digests[content]);
        for (int place = 0; place < 2; place++) {
            target[places[place]] ^= 1;
            ck_assert_int_eq(find(buffers, (enum bench_content)content, &finding), VERDICT_FAIL);
            ck_assert_str_eq(finding.clause, clauses[content][place]);
            ck_assert_uint_ne(harness_sum(target, bytes, 0), buffers->digests[content]);
            target[places[place]] ^= 1;
        }
    }
}

/* Each byte of a buffer is compared, and a buffer is what was asked for last, also where that could
 * not be made. */
START_TEST(buffers_hold_what_was_asked_for, "bandwidth.bits.last")
{
    static const char text[] = "offset_copy n=3000 fill=uniform seed=9";
    static const char another[] = "offset_copy n=3000 fill=uniform seed=10";
    struct fuzz_case test_case, other;
    const char *doing;
    struct device *device = made_device();
    struct bench_buffers buffers = {.device = device};
    struct bench_job job = job_of(text, 0, &test_case);
    ck_assert_int_eq(bench_buffers_hold(&buffers, &job, &test_case, COPIED_BYTES, &doing),
                     CU_SUCCESS);
    ck_assert_int_eq(buffers.count, 1);
    compare_each_content(&buffers);
    job.rotation.cold_bytes = 200000;
    ck_assert_int_eq(bench_buffers_hold(&buffers, &job, &test_case, 0, &doing), CU_SUCCESS);
    ck_assert_int_eq(buffers.count, 6);
    device->driver.mem_alloc = no_memory;
    const struct bench_job larger = job_of(another, 2000000, &other);
    ck_assert_int_eq(bench_buffers_hold(&buffers, &larger, &other, 0, &doing),
                     CU_ERROR_OUT_OF_MEMORY);
    ck_assert_int_eq(bench_buffers_hold(&buffers, &job, &test_case, 0, &doing),
                     CU_ERROR_OUT_OF_MEMORY);
    bench_buffers_free(&buffers);
}
