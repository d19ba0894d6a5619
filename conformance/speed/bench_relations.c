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
    const struct bench_row *it = &bench->plan.rows[row];
    const struct bench_group *group = &bench->plan.groups[it->group];
    char name[CATALOG_NAME_BYTES];
    catalog_name(it->subject.kernel, name);
    for (int index = 0; index < floors_relation_count(bench->floors); index++) {
        const struct relation relation = floors_relation(bench->floors, index);
        const bool is_one = strcmp(relation.kernel, name) == 0 &&
                            strcmp(relation.shape, bench_shapes[group->shape].name) == 0;
        const bool is_other = strcmp(relation.against, name) == 0 &&
                              strcmp(relation.against_shape, bench_shapes[group->shape].name) == 0;
        if (relation.regime == group->regime && (is_one || is_other) &&
            find_row(bench, relation.kernel, relation.shape, relation.regime, it->subject.path) >=
                0 &&
            find_row(bench, relation.against, relation.against_shape, relation.regime,
                     it->subject.path) >= 0)
            return true;
    }
    return false;
}

void bench_judge_relations(struct bench *bench)
{
    int capability = bench->info->limits.compute_capability;
    for (int index = 0; index < floors_relation_count(bench->floors); index++) {
        struct relation relation = floors_relation(bench->floors, index);
        for (int path = 0; path < path_count(); path++) {
            int row = find_row(bench, relation.kernel, relation.shape, relation.regime, path);
            int against =
                find_row(bench, relation.against, relation.against_shape, relation.regime, path);
            if (row < 0 || against < 0 || !bench->results[row].measured ||
                !bench->results[against].measured)
                continue;
            struct bench_relation *it = &bench->relations[bench->relation_count++];
            *it = (struct bench_relation){.relation = relation,
                                          .path = path,
                                          .applies = capability >= relation.from &&
                                                     capability <= relation.to};
            for (int repeat = 0; repeat < bench->repeats; repeat++)
                it->ratio[repeat] = statistics_ratio(bench->results[row].gbps[repeat],
                                                     bench->results[against].gbps[repeat]);
            const struct bench_result *left = &bench->results[row],
                                      *right = &bench->results[against];
            const int samples = left->samples_least < right->samples_least ? left->samples_least
                                                                           : right->samples_least;
            /* Of two speeds one of which was slowed the ratio says nothing. */
            judge_relation(bench, it, left->slowed + right->slowed > 0 ? 0 : samples);
            excuse_relation(bench, it, (const struct bench_result *[]){left, right});
        }
    }
}
