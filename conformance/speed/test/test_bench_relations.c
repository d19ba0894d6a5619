/* What the documents say of two kernels, on figures made up for some GPU. */
#include "conformance/test/made_bench.h"

#define H200 "NVIDIA H200"
#define H100 "NVIDIA H100 80GB HBM3"

/* A GPU of that model, and of compute capability 9.0. */
static struct bench *bench_of(const char *model)
{
    struct device_info *info = testing_new(sizeof *info);
    *info = made_gpu(90);
    snprintf(info->name, sizeof info->name, "%s", model);
    return made_bench_of(info);
}

/* Both kernels of a relation at figures of which the ratio is given. */
static enum verdict relation_verdict(const char *clause, double ratio, const char *model,
                                     const char **ret_note)
{
    static char note[FINDING_NOTE_BYTES];
    struct bench *bench = bench_of(model);
    enum verdict verdict = VERDICT_ERROR;
    for (int index = 0; index < floors_relation_count(bench->floors); index++) {
        struct relation it = floors_relation(bench->floors, index);
        if (strcmp(it.clause, clause) != 0)
            continue;
        made_gbps(&bench->results[made_row(bench, it.kernel, it.shape, it.regime)], 1000 * ratio);
        made_gbps(&bench->results[made_row(bench, it.against, it.against_shape, it.regime)], 1000);
    }
    bench_judge_relations(bench);
    for (int index = 0; index < bench->relation_count; index++) {
        if (bench->relations[index].path != path_find("sass") ||
            strcmp(bench->relations[index].relation.clause, clause) != 0)
            continue;
        verdict = bench->relations[index].finding.verdict;
        strcpy(note, bench->relations[index].finding.note);
    }
    *ret_note = note;
    return verdict;
}

START_TEST(relations_of_the_documents, "bandwidth.relation.aat_padded",
           "bandwidth.relation.aat_coalesced", "bandwidth.relation.matmul_shared_ab",
           "bandwidth.relation.matmul_shared_a", "bandwidth.relation.difference_shared",
           "bandwidth.relation.stride_two", "bandwidth.relation.offset_one",
           "bandwidth.relation.lookup_distinct", "bandwidth.relation.stride_conflicts",
           "bandwidth.relation.stride_padded", "bandwidth.relation.difference_warp",
           "bandwidth.relation.difference_own", "bandwidth.relation.difference_large",
           "bandwidth.relation.matmul_barrier", "bandwidth.relation.matmul_tiled",
           "bandwidth.relation.aat_tiled", "bandwidth.relation.array_registers",
           "bandwidth.relation.array_places", "bandwidth.relation.array_capped",
           "bandwidth.relation.window_fits", "bandwidth.relation.window_updated",
           "bandwidth.relation.window_exceeds", "bandwidth.relation.window_tuned",
           "bandwidth.relation.window_aside")
{
    static const struct {
        const char *clause;
        const char *model;
        double measured; /* on that model */
        double broken;
    } table[] = {
        {"bandwidth.relation.aat_padded", H200, 503.0 / 354, 0.9},
        {"bandwidth.relation.aat_coalesced", H200, 354 / 31.3, 3},
        {"bandwidth.relation.matmul_shared_ab", H200, 503.0 / 403, 1},
        {"bandwidth.relation.difference_shared", H200, 1801.0 / 2183, 1.1},
        {"bandwidth.relation.stride_two", H200, 1419.0 / 2476, 0.9},
        {"bandwidth.relation.offset_one", H200, 2617.0 / 2731, 0.7},
        {"bandwidth.relation.lookup_distinct", H200, 78.47 / 2206, 0.1},
        {"bandwidth.relation.stride_conflicts", H200, 1521.0 / 3018, 0.8},
        {"bandwidth.relation.window_fits", H200, 2549.0 / 2219, 1},
        {"bandwidth.relation.window_updated", H200, 2260.0 / 1702, 1},
        {"bandwidth.relation.window_exceeds", H200, 2250.0 / 2264, 0.9},
        {"bandwidth.relation.window_tuned", H200, 2078.0 / 2250, 1.1},
        {"bandwidth.relation.window_aside", H200, 1960.0 / 2219, 1.05},
        {"bandwidth.relation.stride_padded", H200, 2871.0 / 1521, 1.2},
        {"bandwidth.relation.difference_warp", H200, 2401.0 / 2202, 1.0},
        {"bandwidth.relation.difference_own", H200, 2571.0 / 2202, 1.0},
        {"bandwidth.relation.difference_large", H200, 1833.0 / 2202, 1.0},
        {"bandwidth.relation.matmul_barrier", H200, 436.6 / 476.9, 1.0},
        {"bandwidth.relation.matmul_tiled", H200, 18.83 / 11.81, 1.2},
        {"bandwidth.relation.aat_tiled", H200, 12.55 / 0.9718, 4.0},
        {"bandwidth.relation.array_registers", H200, 68.52 / 25.4, 1.2},
        {"bandwidth.relation.array_places", H200, 18.88 / 25.4, 1.0},
        {"bandwidth.relation.array_capped", H200, 30.63 / 68.52, 0.8},
        {"bandwidth.relation.matmul_shared_a", H100, 1.268, 0.97},
        {"bandwidth.relation.window_fits", H100, 0.747, 1.1},
        {"bandwidth.relation.window_updated", H100, 0.928, 1.2},
        {"bandwidth.relation.window_exceeds", H100, 0.857, 0.7},
        {"bandwidth.relation.window_tuned", H100, 0.615, 0.9},
        {"bandwidth.relation.window_aside", H100, 0.495, 0.9},
    };
    const char *note;
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        ck_assert_msg(relation_verdict(table[row].clause, table[row].measured, table[row].model,
                                       &note) == VERDICT_PASS,
                      "%s: %s", table[row].clause, note);
        ck_assert_msg(relation_verdict(table[row].clause, table[row].broken, table[row].model,
                                       &note) == VERDICT_FAIL,
                      "%s: %s", table[row].clause, note);
    }
}

/* Of aat/padded and aat/coalesced, judged again, or NULL. */
static const struct bench_relation *relation_of(struct bench *bench, int path)
{
    bench->relation_count = 0;
    bench_judge_relations(bench);
    for (int index = 0; index < bench->relation_count; index++)
        if (bench->relations[index].path == path &&
            strcmp(bench->relations[index].relation.clause, "bandwidth.relation.aat_padded") == 0)
            return &bench->relations[index];
    return NULL;
}

/* Two thirds of the samples of one repeat were discarded: the ratio says nothing yet. */
START_TEST(a_relation_needs_samples, "bandwidth.samples.count", "bandwidth.samples.slowed")
{
    struct bench *bench = made_bench(90);
    for (int row = 0; row < bench->plan.row_count; row++)
        bench->results[row].samples_least = BENCH_SAMPLES_LEAST - 1;
    bench_judge_relations(bench);
    ck_assert_int_gt(bench->relation_count, 0);
    for (int index = 0; index < bench->relation_count; index++)
        ck_assert_int_eq(bench->relations[index].finding.verdict,
                         bench->relations[index].applies ? VERDICT_INCONCLUSIVE : VERDICT_SKIP);
    /* Whichever of the two it was; twenty are enough, and one that was not measured has none. */
    static const char *const names[] = {"aat/padded", "aat/coalesced"};
    for (int index = 0; index < 2; index++) {
        bench = made_bench(90);
        struct bench_result *result =
            &bench->results[made_row(bench, names[index], "k=32", REGIME_DRAM)];
        const struct bench_relation *relation;
        made_gbps(result, index ? 1500 : 2500);
        result->samples_least = BENCH_SAMPLES_LEAST - 1;
        relation = relation_of(bench, path_find("sass"));
        ck_assert_int_eq(relation->finding.verdict, VERDICT_INCONCLUSIVE);
        ASSERT_HAS(relation->finding.note, "a kernel of it was slowed or has too few samples");
        result->samples_least = BENCH_SAMPLES_LEAST;
        ck_assert_int_eq(relation_of(bench, path_find("sass"))->finding.verdict, VERDICT_PASS);
        result->slowed = 1;
        ck_assert_int_eq(relation_of(bench, path_find("sass"))->finding.verdict,
                         VERDICT_INCONCLUSIVE);
        result->slowed = 0;
        made_gbps(result, index ? 2500 : 1500);
        ck_assert_int_eq(relation_of(bench, path_find("sass"))->finding.verdict, VERDICT_FAIL);
        /* The other path's kernels are still as fast as one another. */
        ck_assert_int_eq(relation_of(bench, path_find("ptx"))->finding.verdict,
                         VERDICT_INCONCLUSIVE);
        result->measured = false;
        ck_assert_ptr_null(relation_of(bench, path_find("sass")));
    }
}

/* A kernel that is no row has no figures: what lies before the first result is not taken for them.
 */
START_TEST(a_relation_needs_both_kernels, "bandwidth.relation.known")
{
    static const char *const names[] = {"aat/padded", "aat/coalesced"};
    for (int index = 0; index < 2; index++) {
        struct bench *bench = made_bench(90);
        struct bench_plan *plan = &bench->plan;
        ck_assert_ptr_nonnull(relation_of(bench, path_find("sass")));
        int row = made_row(bench, names[index], "k=32", REGIME_DRAM);
        struct bench_result *own = bench->results;
        struct bench_result *held = testing_new(((size_t)plan->row_count + 1) * sizeof *held);
        memset(held, 1, sizeof *held); /* before the first */
        memcpy(held + 1, own, (size_t)plan->row_count * sizeof *held);
        bench->results = held + 1;
        plan->rows[row] = plan->rows[0]; /* of another kernel */
        ck_assert_ptr_null(relation_of(bench, path_find("sass")));
        ck_assert_ptr_nonnull(relation_of(bench, path_find("ptx")));
        bench->results = own;
    }
}

/* However many there are. */
START_TEST(every_relation_is_judged, "bandwidth.relation.known")
{
    struct bench *bench = made_bench(90);
    json_t *all = json_object_get(bench->floors->root, "relations");
    bench_judge_relations(bench);
    const int before = bench->relation_count;
    for (int more = 0; more < 100; more++)
        ck_assert_int_eq(json_array_append(all, json_array_get(all, 0)), 0);
    bench_make_plan(bench, &bench->session->plan, 0, 1);
    for (int row = 0; row < bench->plan.row_count; row++)
        made_gbps(&bench->results[row], 2000);
    bench_judge_relations(bench);
    ck_assert_int_eq(bench->relation_count, before + 2 * 100);
}

/* A model that nobody has measured, of the compute capability of two that were: each claim has its
 * ratio, whatever it is, and none is judged. */
START_TEST(another_model_is_informed_of, "bandwidth.relation.known")
{
    struct bench *bench = bench_of("NVIDIA H222");
    const char *note;
    for (int row = 0; row < bench->plan.row_count; row++)
        made_gbps(&bench->results[row], 1 + 977 * (row % 13));
    bench_judge_relations(bench);
    ck_assert_int_gt(bench->relation_count, 40); /* through two paths */
    for (int index = 0; index < bench->relation_count; index++) {
        const struct bench_relation *it = &bench->relations[index];
        ck_assert_int_eq(it->finding.verdict, VERDICT_SKIP);
        ASSERT_HAS(it->finding.note, ": for information, as its bounds are of other GPU models");
        for (int other = 0; other < index; other++)
            ck_assert(bench->relations[other].path != it->path ||
                      strcmp(bench->relations[other].relation.clause, it->relation.clause) != 0);
    }
    ck_assert_int_eq(
        relation_verdict("bandwidth.relation.matmul_shared_a", 391.0 / 403, H200, &note),
        VERDICT_SKIP);
    ASSERT_HAS(note, "the ratio is 0.970: for information");
}

/* Each row names its models, and a model has one row of a clause. */
START_TEST(each_row_has_its_models, "bandwidth.relation.known")
{
    const struct floors *floors = bench_of(H200)->floors;
    const int count = floors_relation_count(floors);
    for (int index = 0; index < count; index++) {
        const struct relation it = floors_relation(floors, index);
        ck_assert_msg(json_array_size(it.gpus) > 0, "%s names no model", it.clause);
        for (size_t at = 0; at < json_array_size(it.gpus); at++) {
            struct device_info info = made_gpu(90);
            int chosen = 0;
            snprintf(info.name, sizeof info.name, "%s",
                     json_string_value(json_array_get(it.gpus, at)));
            for (int other = 0; other < count; other++)
                chosen += strcmp(floors_relation(floors, other).clause, it.clause) == 0 &&
                          floors_relation_is_chosen(floors, other, &info);
            ck_assert_int_eq(chosen, 1);
            ck_assert(floors_relation_applies(&it, &info));
            ck_assert(floors_relation_is_chosen(floors, index, &info));
        }
    }
}

/* The record has both bounds, from which its report writes what the ratio was compared with. */
START_TEST(a_line_has_the_bounds, "report.figure.relation")
{
    struct bench *bench = made_bench(90);
    int least_count = 0, most_count = 0;
    for (int row = 0; row < bench->plan.row_count; row++)
        made_gbps(&bench->results[row], 2000);
    bench_judge_relations(bench);
    for (int index = 0; index < bench->relation_count; index++) {
        const struct relation *relation = &bench->relations[index].relation;
        const json_t *fields =
            made_json(line_object(bench_line_relation(bench, index, made_zone())));
        ck_assert_ptr_nonnull(fields);
        const json_t *least = json_object_get(fields, "least_ratio"),
                     *most = json_object_get(fields, "most_ratio");
        ck_assert_double_eq(json_number_value(least), relation->least_ratio);
        ck_assert_double_eq(json_number_value(most), relation->most_ratio);
        ck_assert_int_eq(least != NULL, relation->least_ratio > 0);
        ck_assert_int_eq(most != NULL, relation->most_ratio > 0);
        ck_assert(json_equal(json_object_get(fields, "gpus"), relation->gpus));
        least_count += relation->least_ratio > 0;
        most_count += relation->most_ratio > 0;
    }
    ck_assert_int_gt(least_count, 0);
    ck_assert_int_gt(most_count, 0);
}
