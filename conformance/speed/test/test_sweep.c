/* The plan of a sweep, for an H200 and for smaller devices, and what a point is judged by. */
#include "conformance/speed/bench.h"
#include "conformance/base/reason.h"
#include "conformance/test/made_bench.h"
#include "fuzz/test/case_equal.h"
#include "spec/testing.h"

/* All kernels, without mutants, through both paths. */
static void select_all(struct plan *select)
{
    for (int id = 0; id < kernel_count; id++)
        select->selected[id] = true;
    select->paths = "sass,ptx";
}

static struct bench_plan *make_plan(const struct device_info *info, uint64_t bytes)
{
    struct plan *select = calloc(1, sizeof *select);
    struct bench_plan *plan = calloc(1, sizeof *plan);
    select_all(select);
    bench_plan_sweep(plan, select, info, bytes, 7);
    free(select);
    return plan;
}

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
    struct fuzz_case test_case;
    struct case_error error;
    ck_assert_ptr_nonnull(point);
    ck_assert_msg(case_parse(text, &test_case, &error), "%s", error.message);
    ck_assert_msg(case_equal(&test_case, &point->test_case), "%s", text);
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
    struct device_info info = made_gpu(90);
    struct bench_plan *plan = make_plan(&info, 0);
    char text[CASE_TEXT_BYTES];
    int points = 33 + 32 + 6 + 6 + 6 + 7 + 34 + 3 * 6 + 6 + 5 + 5 + 3;
    for (int offset = 0; offset <= 32; offset++) {
        snprintf(text, sizeof text, "offset_copy n=268435456 offset=%d fill=uniform seed=7",
                 offset);
        expect_case(find(plan, "offset", "offset_copy", offset), text);
    }
    for (int stride = 1; stride <= 32; stride++) {
        snprintf(text, sizeof text, "strided_copy n=16777216 stride=%d fill=uniform seed=7",
                 stride);
        expect_case(find(plan, "stride", "strided_copy", stride), text);
    }
    for (int distinct = 1; distinct <= 32; distinct *= 2) {
        snprintf(text, sizeof text,
                 "table_lookup n=4194304 entries=4096 distinct=%d rounds=64 fill=uniform seed=7",
                 distinct);
        expect_case(find(plan, "lookup", "table_lookup", distinct), text);
    }
    for (int length = 1; length <= 32; length *= 2) {
        snprintf(text, sizeof text,
                 "thread_array n=4194304 length=%d distinct=1 rounds=16 fill=uniform seed=7",
                 length);
        expect_case(find(plan, "length", "thread_array", length), text);
    }
    for (int mib = 10; mib <= 60; mib += 10) {
        snprintf(text, sizeof text, "sliding_window n=268435456 hot=%d fill=uniform seed=7",
                 mib << 18);
        expect_case(find(plan, "hot", "sliding_window", mib << 18), text);
    }
    for (int width = 64; width <= 4096; width *= 2) {
        snprintf(text, sizeof text,
                 "texture_fetch n=4194304 width=%d height=256 fill=uniform seed=7", width);
        expect_case(find(plan, "texels", "texture_fetch", width), text);
    }
    for (int stride = 0; stride <= 33; stride++) {
        snprintf(text, sizeof text,
                 "shared_stride n=4194304 stride=%d rounds=64 fill=uniform seed=7", stride);
        expect_case(find(plan, "banks", "shared_stride", stride), text);
    }
    for (int size = 256; size <= 8192; size *= 2) {
        snprintf(text, sizeof text, "matmul m=%d n=%d k=%d fill=uniform seed=7", size, size, size);
        expect_case(find(plan, "square", "matmul", size), text);
    }
    for (int bytes = 4; bytes <= 16; bytes *= 2) {
        char figure[32];
        snprintf(figure, sizeof figure, "copies_%d", bytes);
        for (int count = 4; count <= 24; count += 4) {
            snprintf(text, sizeof text,
                     "shared_copy n=%d copy_count=%d element=%d fill=uniform seed=7",
                     (64 << 20) / bytes, count, bytes);
            expect_case(find(plan, figure, "shared_copy", count), text);
        }
    }
    for (int m = 1024; m <= 16384; m *= 2) {
        snprintf(text, sizeof text, "matmul m=%d n=%d k=32 fill=uniform seed=7", m, m);
        expect_case(find(plan, "ladder", "matmul", m), text);
        snprintf(text, sizeof text, "aat m=%d k=32 fill=uniform seed=7", m);
        expect_case(find(plan, "ladder", "aat", m), text);
    }
    for (int power = 20; power <= 28; power += 4) {
        int n = 1 << power;
        snprintf(text, sizeof text, "adjacent_difference n=%d fill=uniform seed=7", n);
        expect_case(find(plan, "ladder", "adjacent_difference", n), text);
    }
    ck_assert_str_eq(find(plan, "stride", "strided_copy", 5)->name, "stride=5");
    ck_assert_str_eq(find(plan, "ladder", "aat", 1024)->name, "k=32");
    for (int index = 0; index < plan->group_count; index++)
        if (strcmp(plan->groups[index].figure, "size") != 0)
            ck_assert_uint_eq(plan->groups[index].rotation.cold_bytes, 4 * (uint64_t)info.l2_bytes);
    ck_assert_int_eq(count_points(plan, figures), points);
    bench_plan_free(plan);
    free(plan);
}

START_TEST(sizes_have_one_buffer, "bandwidth.sweep.one_buffer")
{
    static const char *const names[] = {"offset_copy", "adjacent_difference"};
    struct device_info info = made_gpu(90);
    struct bench_plan *plan = make_plan(&info, 0);
    for (int index = 0; index < 2; index++) {
        for (int64_t bytes = 4096; bytes <= INT64_C(1) << 32; bytes *= 2) {
            const struct bench_group *point = find(plan, "size", names[index], bytes);
            ck_assert_ptr_nonnull(point);
            ck_assert_uint_eq(point->footprint_bytes, (uint64_t)bytes);
            ck_assert_uint_eq(point->rotation.cold_bytes, 0);
            ck_assert_int_eq(point->regime, bytes <= info.l2_bytes / 2 ? REGIME_L2 : REGIME_DRAM);
        }
    }
    bench_plan_free(plan);
    free(plan);
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
    struct bench_plan *plans[] = {make_plan(&info, 0), make_plan(&info, most_bytes[1]), NULL};
    info.id = device_host;
    plans[2] = make_plan(&info, 0);
    for (int plan = 0; plan < 3; plan++) {
        for (int index = 0; index < plans[plan]->group_count; index++)
            ck_assert_uint_le(plans[plan]->groups[index].footprint_bytes, most_bytes[plan]);
        for (int row = 0; row < rows; row++)
            ck_assert_int_gt(count_points(plans[plan], (const char *[]){figure_names[row], NULL}),
                             0);
        ck_assert_int_ge(rows, 16);
        bench_plan_free(plans[plan]);
        free(plans[plan]);
    }
}

START_TEST(every_kernel_is_swept, "bandwidth.sweep.figures")
{
    struct device_info info = made_gpu(90);
    struct bench_plan *plan = make_plan(&info, 0);
    for (int id = 0; id < kernel_count; id++) {
        int rows[2] = {0};
        if (strcmp(kernels[id].algorithm, "variable_scope") == 0 || /* a sequence has no speed */
            !catalog_has_code(&kernels[id]))
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
    bench_plan_free(plan);
    free(plan);
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
            struct fuzz_case read;
            struct case_error error;
            char text[CASE_TEXT_BYTES];
            case_format(&plan.groups[index].test_case, text, sizeof text);
            ck_assert_msg(case_parse(text, &read, &error), "%s: %s", text, error.message);
            ck_assert_msg(read.seed == 7, "%s", text); /* the last member that is read */
        }
        bench_plan_free(&plan);
    }
}
