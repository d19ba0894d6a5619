/* Verdicts on what the documents say of two kernels (bench_judge.h). Clause:
 * bandwidth.relation.known. */
#include <stdio.h>
#include <string.h>

#include "conformance/speed/bench_judge.h"
#include "conformance/speed/disturbed.h"

/* The row of a kernel's shape and path, or -1. */
static int find_row(const struct bench *bench, const char *kernel, const char *shape,
                    enum regime regime, int path)
{
    for (int row = 0; row < bench->plan.row_count; row++) {
        const struct bench_row *it = &bench->plan.rows[row];
        const struct bench_group *group = &bench->plan.groups[it->group];
        char name[CATALOG_NAME_BYTES];
        if (it->subject.path == path && group->regime == regime &&
            strcmp(bench_shapes[group->shape].name, shape) == 0 &&
            strcmp(catalog_name(it->subject.kernel, name), kernel) == 0)
            return row;
    }
    return -1;
}

/* Those of a relation. False where it lacks one of them. */
static bool find_rows(const struct bench *bench, const struct relation *it, int path,
                      int ret_rows[2])
{
    ret_rows[0] = find_row(bench, it->kernel, it->shape, it->regime, path);
    ret_rows[1] = find_row(bench, it->against, it->against_shape, it->regime, path);
    return ret_rows[0] >= 0 && ret_rows[1] >= 0;
}

/* Where either kernel may have been slowed, one that does not hold says nothing. */
static void excuse_relation(const struct bench *bench, struct bench_relation *it,
                            const struct bench_result *results[2])
{
    char why[BENCH_WHY_BYTES], held[sizeof it->finding.note];
    for (int index = 0; index < 2 && it->finding.verdict == VERDICT_FAIL; index++) {
        if (!bench_disturbance(bench, results[index], why))
            continue;
        memcpy(held, it->finding.note, sizeof held);
        it->finding.verdict = VERDICT_INCONCLUSIVE;
        snprintf(it->finding.note, sizeof it->finding.note, "%s: %.100s", why, held);
    }
}

/* `samples`: the fewest of any repeat of both kernels. */
static void judge_relation(const struct bench *bench, struct bench_relation *it, int samples)
{
    const struct relation *relation = &it->relation;
    const struct interval *ratio = it->ratio;
    enum comparison least = COMPARISON_ABOVE, most = COMPARISON_BELOW;
    if (relation->least_ratio > 0)
        least = statistics_judge(ratio, bench->repeats, relation->least_ratio);
    if (relation->most_ratio > 0)
        most = statistics_judge(ratio, bench->repeats, relation->most_ratio);
    bool enough = samples >= BENCH_SAMPLES_LEAST;
    bool holds = enough && least == COMPARISON_ABOVE && most == COMPARISON_BELOW;
    bool broken = enough && (least == COMPARISON_BELOW || most == COMPARISON_ABOVE);
    const char *word = holds ? "holds" : broken ? "does not hold" : "is undecided";
    it->finding.verdict = holds ? VERDICT_PASS : broken ? VERDICT_FAIL : VERDICT_INCONCLUSIVE;
    snprintf(it->finding.note, sizeof it->finding.note, "%s: the ratio is %.3f", word,
             bench_median(ratio, bench->repeats));
    const bool is_other = path_row(it->path)->options != NULL;
    if (it->applies && bench->own_sizes && !is_other)
        return;
    it->finding.verdict = VERDICT_SKIP;
    if (is_other)
        snprintf(it->finding.note, sizeof it->finding.note, "%s here: the ratio is %.3f; %s", word,
                 bench_median(ratio, bench->repeats), bench_other_code);
    else if (!device_kind(bench->info)->is_timed)
        snprintf(it->finding.note, sizeof it->finding.note,
                 "the host device has no relations of speed");
    else
        snprintf(it->finding.note, sizeof it->finding.note,
                 "%s here: the ratio is %.3f; known for compute capability %d to %d at their own "
                 "sizes",
                 word, bench_median(ratio, bench->repeats), relation->from, relation->to);
}

bool bench_is_related(const struct bench *bench, int row)
{
    int rows[2];
    for (int index = 0; index < floors_relation_count(bench->floors); index++) {
        const struct relation relation = floors_relation(bench->floors, index);
        if (find_rows(bench, &relation, bench->plan.rows[row].subject.path, rows) &&
            (rows[0] == row || rows[1] == row))
            return true;
    }
    return false;
}

/* The relation of two rows that were measured. */
static void take_relation(struct bench *bench, const struct relation *relation, const int rows[2])
{
    const struct bench_result *left = &bench->results[rows[0]], *right = &bench->results[rows[1]];
    const int capability = bench->info->limits.compute_capability;
    const int samples =
        left->samples_least < right->samples_least ? left->samples_least : right->samples_least;
    struct bench_relation *it = &bench->relations[bench->relation_count++];
    *it = (struct bench_relation){.relation = *relation,
                                  .path = bench->plan.rows[rows[0]].subject.path,
                                  .applies =
                                      capability >= relation->from && capability <= relation->to};
    for (int repeat = 0; repeat < bench->repeats; repeat++)
        it->ratio[repeat] = statistics_ratio(left->gbps[repeat], right->gbps[repeat]);
    /* Of two speeds one of which was slowed the ratio says nothing. */
    judge_relation(bench, it, left->slowed + right->slowed > 0 ? 0 : samples);
    excuse_relation(bench, it, (const struct bench_result *[]){left, right});
}

void bench_judge_relations(struct bench *bench)
{
    int rows[2];
    for (int index = 0; index < floors_relation_count(bench->floors); index++) {
        const struct relation relation = floors_relation(bench->floors, index);
        for (int path = 0; path < path_count(); path++)
            if (find_rows(bench, &relation, path, rows) && bench->results[rows[0]].measured &&
                bench->results[rows[1]].measured)
                take_relation(bench, &relation, rows);
    }
}
