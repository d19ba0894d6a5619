/* Medians, their bounds, and the assessment: by hand, and by simulation with an H200's noise. */
#include "conformance/test/noise.h"
#include "spec/testing.h"

static const double confidence = 0.99;

START_TEST(median_of_odd_and_even, "bandwidth.median.interval")
{
    double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
    ck_assert_double_eq(statistics_median(odd, 3), 3);
    ck_assert_double_eq(statistics_median(even, 4), 2.5);
    ck_assert_double_eq(statistics_median(one, 1), 7);
}

/* One value, or values about nothing, have a spread of 0: it is a number that can be compared. */
START_TEST(a_spread_is_a_number, "bandwidth.floor.provenance")
{
    static const struct {
        double values[3];
        int count;
        double spread;
    } table[] = {
        {{7}, 1, 0},      {{5, 5}, 2, 0},        {{0, 0}, 2, 0},
        {{-1, -2}, 2, 0}, {{-1, 1}, 2, 0},       {{1, 3}, 2, 0.70710678118654752},
        {{0}, 1, 0},      {{8, 10, 12}, 3, 0.2}, {{7}, 0, 0},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        ck_assert_double_eq_tol(statistics_spread(table[row].values, table[row].count),
                                table[row].spread, 1e-12);
}

/* Ranks from the tables of the sign test: 30 values, 99 %: the 8th from either end. */
START_TEST(bounds_are_the_tables, "bandwidth.median.interval")
{
    static const struct {
        int count, rank; /* from 1; 0: no bounds */
    } table[] = {{7, 0}, {8, 1}, {11, 1}, {12, 2}, {20, 4}, {30, 8}, {50, 16}, {100, 37}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        double values[100];
        int count = table[row].count;
        for (int index = 0; index < count; index++)
            values[index] = (index * 37) % count + 1; /* 1 to count in disorder */
        for (int index = 0; index < count; index++)
            values[index] = count % 37 == 0 ? index + 1 : values[index];
        struct interval interval = {-1, -1, -1};
        bool bounded = statistics_interval(values, count, confidence, &interval);
        ck_assert_int_eq(bounded, table[row].rank > 0);
        ck_assert_double_eq(interval.lower, bounded ? table[row].rank : -1);
        ck_assert_double_eq(interval.upper, bounded ? count + 1 - table[row].rank : -1);
        ck_assert_double_eq(interval.median, bounded ? (count + 1) / 2.0 : -1);
    }
}

START_TEST(ratio_has_the_widest_bounds, "bandwidth.ceiling.same_run")
{
    struct interval ratio =
        statistics_ratio((struct interval){2, 3, 4}, (struct interval){4, 6, 8});
    ck_assert_double_eq(ratio.lower, 0.25);
    ck_assert_double_eq(ratio.median, 0.5);
    ck_assert_double_eq(ratio.upper, 1);
}

START_TEST(each_repeat_must_agree, "bandwidth.verdict.repeats")
{
    const struct interval below = {0.7, 0.75, 0.8}, above = {0.9, 0.95, 1}, at = {0.8, 0.85, 0.9};
    const struct {
        struct interval repeats[3];
        enum comparison assessment;
    } table[] = {
        {{below, below, below}, COMPARISON_BELOW},     {{above, above, above}, COMPARISON_ABOVE},
        {{below, below, at}, COMPARISON_UNDECIDED},    {{above, at, above}, COMPARISON_UNDECIDED},
        {{below, below, above}, COMPARISON_UNDECIDED}, {{at, at, at}, COMPARISON_UNDECIDED},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        ck_assert_int_eq(statistics_judge(table[row].repeats, 3, 0.85), table[row].assessment);
    ck_assert_int_eq(statistics_judge(&below, 1, 0.8), COMPARISON_UNDECIDED); /* on the bound */
    ck_assert_int_eq(statistics_judge(&below, 0, 1), COMPARISON_UNDECIDED);
}

/* Of many repeats a few may disagree: those beyond the bounds that the tables give their median. */
START_TEST(many_repeats_may_disagree_a_little, "bandwidth.verdict.repeats")
{
    const struct interval below = {0.7, 0.75, 0.8}, above = {0.9, 0.95, 1};
    static const struct {
        int count, dissent;
    } table[] = {{3, 0}, {4, 0}, {7, 0}, {8, 0}, {11, 0}, {12, 1}, {20, 3}, {30, 7}, {32, 8}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct interval sunk[BENCH_REPEATS_MAX], risen[BENCH_REPEATS_MAX];
        int count = table[row].count;
        for (int against = 0; against <= count / 2; against++) {
            bool decided = against <= table[row].dissent;
            for (int index = 0; index < count; index++) {
                sunk[index] = index < against ? above : below;
                risen[index] = index < against ? below : above;
            }
            ck_assert_int_eq(statistics_judge(sunk, count, 0.85),
                             decided ? COMPARISON_BELOW : COMPARISON_UNDECIDED);
            ck_assert_int_eq(statistics_judge(risen, count, 0.85),
                             decided ? COMPARISON_ABOVE : COMPARISON_UNDECIDED);
        }
    }
}

/* By counting all choices of three. */
START_TEST(the_loss_that_is_found, "bandwidth.floor.found_loss")
{
    for (int count = 3; count <= 32; count++) {
        double uppers[32];
        for (int index = 0; index < count; index++)
            uppers[index] = 0.8 + 0.01 * ((index * 13) % 32);
        const double limit = 0.78;
        double loss = statistics_found_loss(uppers, count, limit);
        for (int smaller = 0; smaller < 2; smaller++) { /* by a step */
            int all = 0, found = 0;
            double speed = 1 - loss + (smaller ? 1e-4 : -1e-12);
            for (int i = 0; i < count; i++)
                for (int j = i + 1; j < count; j++)
                    for (int k = j + 1; k < count; k++) {
                        all++;
                        found += uppers[i] * speed < limit && uppers[j] * speed < limit &&
                                 uppers[k] * speed < limit;
                    }
            ck_assert_int_eq(found == all, !smaller);
        }
    }
    double few[] = {0.9, 0.9}, unknown[] = {0.9, 0, 0.9}, low[] = {0.7, 0.7, 0.7};
    ck_assert_double_eq(statistics_found_loss(few, 2, 0.8), 0);
    ck_assert_double_eq(statistics_found_loss(unknown, 3, 0.8), 0);
    ck_assert_double_eq(statistics_found_loss(low, 3, 0.8), 1e-4);
}

/* What a whole measurement comes to, with the further samples that an undecided one gets. */
static enum comparison simulate_verdict(double gbps, double floor, uint64_t seed)
{
    enum comparison assessment = COMPARISON_UNDECIDED;
    uint64_t counter = 0;
    for (int samples = BENCH_SAMPLES; samples <= 4 * BENCH_SAMPLES; samples *= 2) {
        struct interval repeats[BENCH_REPEATS];
        for (int repeat = 0; repeat < BENCH_REPEATS; repeat++) {
            struct interval ceiling = noise_repeat(4236, samples, seed, &counter);
            repeats[repeat] =
                statistics_ratio(noise_repeat(gbps, samples, seed, &counter), ceiling);
        }
        assessment = statistics_judge(repeats, BENCH_REPEATS, floor);
        if (assessment != COMPARISON_UNDECIDED)
            break;
    }
    return assessment;
}

START_TEST(noise_of_an_h200, "bandwidth.verdict.noise")
{
    enum { TRIALS = 10000 };
    const double healthy = 2731, floor = healthy / 4236 * (1 - BENCH_LOSS / 2);
    int false_alarms = 0, passed = 0, found = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        enum comparison right = simulate_verdict(healthy, floor, random_word(1, trial));
        enum comparison faulty = simulate_verdict(0.97 * healthy, floor, random_word(2, trial));
        false_alarms += right == COMPARISON_BELOW;
        passed += right == COMPARISON_ABOVE;
        found += faulty == COMPARISON_BELOW;
    }
    ck_assert_int_le(false_alarms, TRIALS / 1000);
    ck_assert_int_ge(found, TRIALS / 100 * 99);
    ck_assert_int_ge(passed, TRIALS / 100 * 99); /* and it does not hide in INCONCLUSIVE */
}

/* A kernel that lies exactly on its floor must not fail by chance either. */
START_TEST(on_the_floor_is_no_failure, "bandwidth.verdict.noise")
{
    enum { TRIALS = 4000 };
    int failed = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++)
        failed += simulate_verdict(2731, 2731.0 / 4236, random_word(3, trial)) == COMPARISON_BELOW;
    ck_assert_int_le(failed, TRIALS / 1000);
}
