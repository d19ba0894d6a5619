/* Digests of a case (case_digests.h). A window is made as it is before the kernel, with its outputs
 * flipped, and with the right ones, and its digests are taken while it lies in a core's cache.
 * Clauses: bandwidth.bits.first, bandwidth.bits.digest. */
#include "conformance/work/case_digests.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/stop.h"
#include "conformance/work/harness.h"
#include "conformance/work/stream_window.h"
#include "conformance/work/windows.h"

size_t bench_copy_bytes(const struct fuzz_case *test_case)
{
    struct traffic traffic = algorithm_traffic(test_case->algorithm, test_case->axis);
    return (size_t)((traffic.read_bytes + traffic.written_bytes) / 2 / 16 * 16);
}

struct digests {
    const struct arena *arena;
    size_t copy_bytes;
    size_t from, to; /* around the outputs */
    struct stream_source source;
    const atomic_bool *ended;
    _Atomic uint64_t sums[BENCH_CONTENT_COUNT];
};

static uint64_t sum_of_stain(size_t begin, size_t end)
{
    enum { STAINED_BYTES = 4096 };
    unsigned char stained[STAINED_BYTES];
    uint64_t sum = 0;
    memset(stained, BENCH_STAIN, sizeof stained);
    for (size_t from = begin; from < end; from += sizeof stained)
        sum +=
            harness_sum(stained, end - from < sizeof stained ? end - from : sizeof stained, from);
    return sum;
}

static size_t clamp(size_t value, size_t least, size_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* Puts the stain on outputs that have gaps, elements too. False where no output has any. */
static bool stain_gaps(const struct arena *arena, size_t begin, size_t end, unsigned char *window)
{
    bool is_stained = false;
    for (int index = 0; index < arena->operand_count; index++) {
        if (!bench_is_output(arena, index) || !bench_has_gaps(arena, index))
            continue;
        const size_t from = clamp(arena->operands[index].begin, begin, end);
        const size_t to = clamp(arena->operands[index].end, begin, end);
        memset(window + (from - begin), BENCH_STAIN, to - from);
        is_stained = true;
    }
    return is_stained;
}

/* Of the window's contents all but what lies around the outputs is the same: it is summed once. */
static bool add_window(struct digests *digests, size_t begin, size_t end, unsigned char *window)
{
    const size_t copied = clamp(digests->copy_bytes, begin, end);
    const size_t from = clamp(digests->from, begin, end), to = clamp(digests->to, begin, end);
    unsigned char *outputs = window + (from - begin);
    stream_begin(digests->arena, 0, begin, end, window);
    const uint64_t before = harness_sum(window, copied - begin, begin);
    const uint64_t image = before + harness_sum(window + (copied - begin), end - copied, copied);
    const uint64_t others = image - harness_sum(outputs, to - from, from);
    atomic_fetch_add(&digests->sums[BENCH_CONTENT_IMAGE], image);
    atomic_fetch_add(&digests->sums[BENCH_CONTENT_COPIED], before + sum_of_stain(copied, end));
    atomic_fetch_add(&digests->sums[BENCH_CONTENT_COPIED_PART], before);
    arena_flip_window(digests->arena, begin, end, window);
    atomic_fetch_add(&digests->sums[BENCH_CONTENT_FLIPPED],
                     others + harness_sum(outputs, to - from, from));
    if (!stream_outputs(&digests->source, begin, end, window))
        return false;
    uint64_t right = harness_sum(outputs, to - from, from);
    atomic_fetch_add(&digests->sums[BENCH_CONTENT_RIGHT], others + right);
    if (stain_gaps(digests->arena, begin, end, window)) {
        if (!stream_outputs(&digests->source, begin, end, window))
            return false;
        right = harness_sum(outputs, to - from, from);
    }
    atomic_fetch_add(&digests->sums[BENCH_CONTENT_RIGHT_PART], right);
    return true;
}

static bool take_window(void *context, size_t begin, size_t end)
{
    struct digests *digests = context;
    if (stop_is_signalled() || (digests->ended && atomic_load(digests->ended)))
        return false;
    unsigned char *window = malloc(end - begin);
    const bool added = window && add_window(digests, begin, end, window);
    free(window);
    return added;
}

bool bench_is_output(const struct arena *arena, int operand)
{
    return arena->test_case->algorithm->operands[operand].role == OPERAND_OUTPUT;
}

bool bench_has_gaps(const struct arena *arena, int operand)
{
    const struct view *view = &arena->operands[operand].view;
    return view->span != view->rows * view->columns;
}

void bench_written(const struct arena *arena, size_t *ret_from, size_t *ret_to)
{
    *ret_from = arena->bytes;
    *ret_to = 0;
    for (int index = arena->operand_count - 1; index >= 0; index--) {
        const struct arena_operand *operand = &arena->operands[index];
        if (!bench_is_output(arena, index))
            continue;
        *ret_from = operand->from < *ret_from ? operand->from : *ret_from;
        *ret_to = operand->to > *ret_to ? operand->to : *ret_to;
    }
}

bool case_digests(const struct fuzz_case *test_case, const atomic_bool *ended,
                  uint64_t ret[BENCH_CONTENT_COUNT])
{
    const struct arena arena = arena_layout(test_case);
    struct digests digests = {.arena = &arena,
                              .copy_bytes = bench_copy_bytes(test_case),
                              .source = stream_source_open(&arena),
                              .ended = ended};
    bench_written(&arena, &digests.from, &digests.to);
    const bool made = windows_each(NULL, arena.bytes, take_window, &digests);
    stream_source_close(&digests.source);
    for (int content = 0; made && content < BENCH_CONTENT_COUNT; content++)
        ret[content] = digests.sums[content];
    return made;
}
