/* The shrinker: a list of tactics, boldest first, that starts over whenever one keeps the failure
 * (cases.shrink.smaller, cases.shrink.terminates). Every accepted step is less by
 * shrink_compare(), whose keys are whole numbers from 0, so it ends. */
#include "fuzz/shrink.h"

#include "fuzz/fill.h"

struct search {
    struct fuzz_case *best;
    shrink_test *test;
    void *context;
    uint64_t tries_max;
    struct shrink_report report;
};

/* How far an axis is from its simplest value. */
static int64_t distance(const struct fuzz_case *test_case, int index)
{
    return test_case->axis[index] -
           algorithm_axis_minimum(test_case->algorithm, test_case->axis, index);
}

/* Seed 1 is the simplest: 0 looks like none. */
static uint64_t seed_rank(uint64_t seed)
{
    return seed > 1 ? seed : 1 - seed;
}

static bool is_size(const struct fuzz_case *test_case, int index)
{
    return test_case->algorithm->axes[index].kind == AXIS_SIZE;
}

/* Every axis is at most 2^44, so the sum of all is far from overflow. */
static int64_t total(const struct fuzz_case *test_case, bool sizes)
{
    int64_t sum = 0;
    for (int index = 0; index < test_case->algorithm->axis_count; index++)
        if (is_size(test_case, index) == sizes)
            sum += distance(test_case, index);
    return sum;
}

int shrink_compare(const struct fuzz_case *left, const struct fuzz_case *right)
{
    const uint64_t keys[][2] = {
        {(uint64_t)total(left, true), (uint64_t)total(right, true)},
        {(uint64_t)total(left, false), (uint64_t)total(right, false)},
        {(uint64_t)left->fill, (uint64_t)right->fill},
        {seed_rank(left->seed), seed_rank(right->seed)},
    };
    for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++)
        if (keys[index][0] != keys[index][1])
            return keys[index][0] < keys[index][1] ? -1 : 1;
    return 0;
}

/* Leading dimensions keep what they have above their widths. */
static void set_axis(struct fuzz_case *test_case, int index, int64_t value)
{
    const struct algorithm *algorithm = test_case->algorithm;
    int64_t above[ALGORITHM_AXES_MAX];
    for (int other = 0; other < algorithm->axis_count; other++)
        above[other] = distance(test_case, other);
    test_case->axis[index] = value;
    for (int other = 0; other < algorithm->axis_count; other++)
        if (other != index && algorithm->axes[other].kind == AXIS_LEADING)
            test_case->axis[other] =
                algorithm_axis_minimum(algorithm, test_case->axis, other) + above[other];
}

/* True when the candidate is simpler, is allowed one more try, and fails too. */
static bool accept(struct search *search, const struct fuzz_case *candidate)
{
    struct axes_error wrong;
    if (shrink_compare(candidate, search->best) >= 0 || search->report.tried == search->tries_max ||
        !algorithm_axes_valid(candidate->algorithm, candidate->axis, &wrong))
        return false;
    search->report.tried++;
    if (!search->test(search->context, candidate))
        return false;
    search->report.accepted++;
    *search->best = *candidate;
    return true;
}

static bool accept_axis(struct search *search, int index, int64_t value)
{
    struct fuzz_case candidate = *search->best;
    if (value >= candidate.axis[index])
        return false;
    set_axis(&candidate, index, value);
    return accept(search, &candidate);
}

/* All sizes at once, to 1 << shift or below. */
static bool shrink_sizes_together(struct search *search)
{
    for (int shift = 0; shift < 44; shift++) {
        struct fuzz_case candidate = *search->best;
        bool changed = false;
        for (int index = 0; index < candidate.algorithm->axis_count; index++) {
            if (!is_size(&candidate, index) || candidate.axis[index] <= INT64_C(1) << shift)
                continue;
            set_axis(&candidate, index, INT64_C(1) << shift);
            changed = true;
        }
        if (!changed)
            return false;
        if (accept(search, &candidate))
            return true;
    }
    return false;
}

/* To the least value, to 1, 2, 4, …, then down by ever smaller powers of two, which keep what a
 * multiple of 32, an alignment or a parity has to do with the failure. */
static bool shrink_axis(struct search *search, int index)
{
    const struct fuzz_case *best = search->best;
    int64_t value = best->axis[index];
    int64_t minimum = algorithm_axis_minimum(best->algorithm, best->axis, index);
    if (accept_axis(search, index, minimum))
        return true;
    for (int64_t power = 1; power < value; power *= 2)
        if (power > minimum && accept_axis(search, index, power))
            return true;
    for (int64_t step = ALGORITHM_SPAN_BYTES_MAX; step > 0; step /= 2)
        if (value - step > minimum && accept_axis(search, index, value - step))
            return true;
    return false;
}

/* Sizes, or the other axes, one by one. */
static bool shrink_axes(struct search *search, bool sizes)
{
    for (int index = 0; index < search->best->algorithm->axis_count; index++)
        if (is_size(search->best, index) == sizes && shrink_axis(search, index))
            return true;
    return false;
}

static bool shrink_sizes(struct search *search)
{
    return shrink_axes(search, true);
}

static bool shrink_placement_together(struct search *search)
{
    struct fuzz_case candidate = *search->best;
    for (int index = 0; index < candidate.algorithm->axis_count; index++)
        if (!is_size(&candidate, index) && candidate.algorithm->axes[index].kind != AXIS_ELEMENT)
            candidate.axis[index] =
                algorithm_axis_minimum(candidate.algorithm, candidate.axis, index);
    return accept(search, &candidate);
}

static bool shrink_placement(struct search *search)
{
    return shrink_axes(search, false);
}

static bool shrink_fill(struct search *search)
{
    for (int fill = 0; fill < search->best->fill; fill++) {
        struct fuzz_case candidate = *search->best;
        candidate.fill = fill;
        if ((fills[fill].fits == NULL || fills[fill].fits(&candidate)) &&
            accept(search, &candidate))
            return true;
    }
    return false;
}

static bool shrink_seed(struct search *search)
{
    struct fuzz_case candidate = *search->best;
    candidate.seed = 1;
    return accept(search, &candidate);
}

struct shrink_report shrink(struct fuzz_case *test_case, shrink_test *test, void *context,
                            uint64_t tries_max)
{
    static bool (*const tactics[])(struct search *) = {
        shrink_sizes_together, shrink_sizes, shrink_placement_together,
        shrink_placement,      shrink_fill,  shrink_seed,
    };
    const size_t tactic_count = sizeof tactics / sizeof tactics[0];
    struct search search = {
        .best = test_case, .test = test, .context = context, .tries_max = tries_max};
    size_t index = 0;
    while (index < tactic_count && search.report.tried < tries_max)
        index = tactics[index](&search) ? 0 : index + 1;
    search.report.complete = search.report.tried < tries_max;
    return search.report;
}
