/* The plan of a sweep, for an H200 and for smaller devices, and what a point is judged by. */
#include "conformance/test/made_bench.h"
#include "conformance/test/made_subject.h"
#include "fuzz/test/case_equal.h"

/* The point of a figure and algorithm at `at`, or NULL. */
static const struct bench_group *find(const struct bench_plan *plan, const char *figure,
                                      const char *algorithm, int64_t at)
{
    for (int index = 0; index < plan->group_count; index++) {
        const struct bench_group *point = &plan->groups[index];
        if (strcmp(point->figure, figure) == 0 && point->at == at &&
            strcmp(point->test_case.algorithm->name, algorithm) == 0)
            return point;
    }
    return NULL;
}

static void expect_case(const struct bench_group *point, const char *text)
{
    const struct fuzz_case test_case = made_case(text);
    ck_assert_msg(point && case_equal(&test_case, &point->test_case), "%s", text);
}

/* Points of the figures of a table that ends with NULL. */
static int count_points(const struct bench_plan *plan, const char *const *figures)
{
    int points = 0;
    for (; *figures; figures++)
        for (int index = 0; index < plan->group_count; index++)
            points += strcmp(plan->groups[index].figure, *figures) == 0;
    return points;
}

START_TEST(figures_of_the_documents, "bandwidth.sweep.figures")
{
    static const char *const figures[] = {"offset",   "stride",    "lookup", "length", "hot",
                                          "texels",   "banks",     "square", "ladder", "copies_4",
                                          "copies_8", "copies_16", NULL};
    static const struct {
        const char *figure, *algorithm, *axes; /* of a point */
        int first, last, factor, step;
    } rows[] = {
        {"offset", "offset_copy", "n=268435456 offset=%d", 0, 32, 1, 1},
        {"stride", "strided_copy", "n=16777216 stride=%d", 1, 32, 1, 1},
        {"lookup", "table_lookup", "n=4194304 entries=4096 distinct=%d rounds=64", 1, 32, 2, 0},
        {"length", "thread_array", "n=4194304 length=%d distinct=1 rounds=16", 1, 32, 2, 0},
        {"hot", "sliding_window", "n=268435456 hot=%d", 10 << 18, 60 << 18, 1, 10 << 18},
        {"texels", "texture_fetch", "n=4194304 width=%d height=256", 64, 4096, 2, 0},
        {"banks", "shared_stride", "n=4194304 stride=%d rounds=64", 0, 33, 1, 1},
        {"square", "matmul", "m=%d n=%d k=%d", 256, 8192, 2, 0},
        {"copies_4", "shared_copy", "n=16777216 copy_count=%d element=4", 4, 24, 1, 4},
        {"copies_8", "shared_copy", "n=8388608 copy_count=%d element=8", 4, 24, 1, 4},
        {"copies_16", "shared_copy", "n=4194304 copy_count=%d element=16", 4, 24, 1, 4},
        {"ladder", "matmul", "m=%d n=%d k=32", 1024, 16384, 2, 0},
        {"ladder", "aat", "m=%d k=32", 1024, 16384, 2, 0},
        {"ladder", "adjacent_difference", "n=%d", 1 << 20, 1 << 28, 16, 0},
    };
    struct device_info info = made_gpu(90);
    struct bench_plan *plan = made_sweep(&info, 0);
    int points = 33 + 32 + 6 + 6 + 6 + 7 + 34 + 3 * 6 + 6 + 5 + 5 + 3;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        for (int64_t at = rows[row].first; at <= rows[row].last;
             at = at * rows[row].factor + rows[row].step) {
            char text[CASE_TEXT_BYTES], axes[64];
            const int size = (int)at;
            snprintf(axes, sizeof axes, rows[row].axes, size, size, size);
            snprintf(text, sizeof text, "%s %s fill=uniform seed=7", rows[row].algorithm, axes);
            expect_case(find(plan, rows[row].figure, rows[row].algorithm, at), text);
        }
    ck_assert_str_eq(find(plan, "stride", "strided_copy", 5)->name, "stride=5");
    ck_assert_str_eq(find(plan, "ladder", "aat", 1024)->name, "k=32");
    for (int index = 0; index < plan->group_count; index++)
        if (strcmp(plan->groups[index].figure, "size") != 0)
            ck_assert_uint_eq(plan->groups[index].rotation.cold_bytes, 4 * (uint64_t)info.l2_bytes);
    ck_assert_int_eq(count_points(plan, figures), points);
}

START_TEST(sizes_have_one_buffer, "bandwidth.sweep.one_buffer")
{
    static const char *const names[] = {"offset_copy", "adjacent_difference"};
    struct device_info info = made_gpu(90);
    struct bench_plan *plan = made_sweep(&info, 0);
    for (int index = 0; index < 2; index++) {
        for (int64_t bytes = 4096; bytes <= INT64_C(1) << 32; bytes *= 2) {
            const struct bench_group *point = find(plan, "size", names[index], bytes);
            ck_assert_ptr_nonnull(point);
            ck_assert_uint_eq(point->footprint_bytes, (uint64_t)bytes);
            ck_assert_uint_eq(point->rotation.cold_bytes, 0);
            ck_assert_int_eq(point->regime, bytes <= info.l2_bytes / 2 ? REGIME_L2 : REGIME_DRAM);
        }
    }
}

#define FIGURE(figure, ...) figure,
static const char *const figure_names[] = {
#include "fuzz/algorithms.def"
};

/* Each figure of the table has a point. */
START_TEST(memory_bounds_a_sweep, "bandwidth.sweep.figures")
{
    const int rows = sizeof figure_names / sizeof figure_names[0];
    struct device_info info = made_gpu(90);
    const uint64_t most_bytes[] = {UINT64_C(1) << 30, UINT64_C(1) << 24, UINT64_C(64) << 10};
    info.memory_bytes = 8 * most_bytes[0];
    struct bench_plan *plans[] = {made_sweep(&info, 0), made_sweep(&info, most_bytes[1]), NULL};
    info.id = device_host;
    plans[2] = made_sweep(&info, 0);
    for (int plan = 0; plan < 3; plan++) {
        for (int index = 0; index < plans[plan]->group_count; index++)
            ck_assert_uint_le(plans[plan]->groups[index].footprint_bytes, most_bytes[plan]);
        for (int row = 0; row < rows; row++)
            ck_assert_int_gt(count_points(plans[plan], (const char *[]){figure_names[row], NULL}),
                             0);
        ck_assert_int_ge(rows, 16);
    }
}

START_TEST(every_kernel_is_swept, "bandwidth.sweep.figures")
{
    struct device_info info = made_gpu(90);
    struct bench_plan *plan = made_sweep(&info, 0);
    for (int id = 0; id < kernel_count; id++) {
        int rows[2] = {0};
        if (strcmp(kernels[id].algorithm, "variable_scope") == 0 || /* a sequence has no speed */
            !catalog_has_code(&kernels[id]) || kernel_is_of_set(&kernels[id]))
            continue;
        for (int row = 0; row < plan->row_count; row++) {
            const struct bench_row *it = &plan->rows[row];
            const struct bench_group *point = &plan->groups[it->group];
            ck_assert(row >= point->row_begin && row < point->row_end);
            if (it->subject.kernel == id)
                rows[made_place(it->subject.path)]++;
        }
        char name[CATALOG_NAME_BYTES];
        ck_assert_msg(rows[0] > 0, "%s is never swept", catalog_name(id, name));
        ck_assert_int_eq(rows[0], rows[1]);
    }
}

/* However slow, it stays; with memory errors or too few samples it does not. */
START_TEST(speed_is_not_judged, "bandwidth.sweep.unjudged")
{
    struct device_info info = made_gpu(90);
    struct bench *bench = testing_new(sizeof *bench);
    const struct bench_result slow = {.finding.verdict = VERDICT_PASS,
                                      .measured = true,
                                      .samples_least = BENCH_SAMPLES_LEAST,
                                      .gbps = {{0.001, 0.001, 0.001}}};
    bench->info = &info;
    struct bench_result result = slow;
    ck_assert(bench_judge_soundness(bench, &result));
    ck_assert_int_eq(result.finding.verdict, VERDICT_PASS);
    result.samples_least--;
    ck_assert(!bench_judge_soundness(bench, &result));
    ck_assert_int_eq(result.finding.verdict, VERDICT_INCONCLUSIVE);
    result = slow;
    result.before.ecc_known = result.after.ecc_known = true;
    result.after.ecc_uncorrected = 1;
    ck_assert(!bench_judge_soundness(bench, &result));
    ck_assert_int_eq(result.finding.verdict, VERDICT_FAIL);
    result = slow;
    result.finding.verdict = VERDICT_CRASH;
    ck_assert(!bench_judge_soundness(bench, &result));
    ck_assert_int_eq(result.finding.verdict, VERDICT_CRASH);
}

START_TEST(every_row_of_shapes_and_figures_is_a_case, "bandwidth.sweep.figures")
{
    struct device_info info = made_gpu(90);
    struct plan select = {.paths = "sass"};
    memset(select.selected, true, sizeof select.selected);
    for (int sweep = 0; sweep < 2; sweep++) {
        struct bench_plan plan = {.row_count = 0};
        if (sweep)
            bench_plan_sweep(&plan, &select, &info, 0, 7);
        else
            bench_plan_make(&plan, &select, &info, 0, 7);
        ck_assert_int_gt(plan.group_count, 0);
        for (int index = 0; index < plan.group_count; index++) {
            char text[CASE_TEXT_BYTES];
            case_format(&plan.groups[index].test_case, text, sizeof text);
            ck_assert_msg(made_case(text).seed == 7, "%s", text); /* the last that is read */
        }
        bench_plan_free(&plan);
    }
}
