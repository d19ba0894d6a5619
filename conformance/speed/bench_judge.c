/* Verdicts on what was measured (bench.h). Clauses: bandwidth.sensors.alone,
 * bandwidth.sensors.clocks, bandwidth.samples.slowed, bandwidth.verdict.repeats,
 * bandwidth.verdict.host, bandwidth.samples.count, bandwidth.sensors.ecc,
 * bandwidth.ceiling.floor, bandwidth.ceiling.alike, bandwidth.latency.ceiling,
 * bandwidth.latency.host, bandwidth.relation.known. */
#include "conformance/speed/bench.h"

#include <string.h>

#include "conformance/work/callable.h"
#include "conformance/work/nvml.h"

enum { WHY_BYTES = 128 };

/* The clause of what may have slowed a healthy GPU while the result was measured, and why, or NULL:
 * then no speed fails. Of host calls only who else was there counts, as the GPU idles meanwhile. */
static const char *disturbance(const struct bench *bench, const struct bench_result *result,
                               char ret_why[WHY_BYTES])
{
    const struct device_info *info = bench->info;
    const struct {
        const char *name;
        uint32_t mhz;
        int full_khz;
    } clocks[] = {{"SM", result->sm_mhz_least, info->sm_clock_khz},
                  {"memory", result->memory_mhz_least, info->memory_clock_khz}};
    char pid[32] = "", reasons[80], number[NUMBER_COUNT_BYTES];
    if (result->company.others > 0) {
        if (result->company.pid > 0)
            snprintf(pid, sizeof pid, " (%s%u)", result->company.others > 1 ? "one is " : "",
                     (unsigned)result->company.pid);
        snprintf(ret_why, WHY_BYTES, "%s%s on the GPU",
                 number_count((uint64_t)result->company.others, "other process", number), pid);
        return "bandwidth.sensors.alone";
    }
    if (result->slowed > 0) {
        snprintf(ret_why, WHY_BYTES, "the GPU was slowed (%s) in %s of %d",
                 nvml_reasons_text(result->during.reasons, reasons, sizeof reasons),
                 number_count((uint64_t)result->slowed, "sample", number), result->samples);
        return "bandwidth.samples.slowed";
    }
    for (int clock = 0; clock < 2; clock++) {
        if (!nvml_is_held(clocks[clock].mhz, clocks[clock].full_khz, 0))
            continue;
        snprintf(ret_why, WHY_BYTES,
                 "its %s clock ran at %u of %.0f MHz and nothing slowed it: "
                 "was it locked (nvidia-smi -q -d CLOCK)?",
                 clocks[clock].name, (unsigned)clocks[clock].mhz, clocks[clock].full_khz * 1e-3);
        return "bandwidth.sensors.clocks";
    }
    return NULL;
}

/* The verdict that follows from the repeats' place relative to the limit: on the good side a PASS
 * stays as it is. True when more samples may decide. */
static bool decide(const struct bench *bench, struct bench_result *result,
                   enum comparison assessment, const char *clause, const char *note)
{
    char why[WHY_BYTES] = "";
    const char *disturbed = disturbance(bench, result, why);
    bool is_floor = result->limit.kind == LIMIT_FLOOR;
    if (assessment == (is_floor ? COMPARISON_ABOVE : COMPARISON_BELOW))
        return false;
    if (assessment == COMPARISON_UNDECIDED) {
        finding_set(&result->finding, VERDICT_INCONCLUSIVE, clause, "%s", note);
        return true;
    }
    if (disturbed)
        return finding_set(&result->finding, VERDICT_INCONCLUSIVE, disturbed, "%s: %.120s", why,
                           note);
    return finding_set(&result->finding, VERDICT_FAIL, clause, "%s", note);
}

bool bench_judge_soundness(const struct bench *bench, struct bench_result *result)
{
    char reasons[128], number[NUMBER_COUNT_BYTES];
    const bool known = result->before.ecc_known && result->after.ecc_known;
    if (known && result->after.ecc_uncorrected > result->before.ecc_uncorrected &&
        !verdict_is_failure(result->finding.verdict))
        return finding_set(
            &result->finding, VERDICT_FAIL, "bandwidth.sensors.ecc", "%s while it was measured",
            number_count(result->after.ecc_uncorrected - result->before.ecc_uncorrected,
                         "uncorrected memory error", number));
    if (result->finding.verdict != VERDICT_PASS)
        return false;
    if (!device_kind(bench->info)->is_timed)
        return true;
    if (!result->measured || result->samples_least < BENCH_SAMPLES_LEAST)
        return finding_set(
            &result->finding, VERDICT_INCONCLUSIVE, "bandwidth.samples.count",
            "only %s left; discarded: %d because the GPU was slowed (%s), %d because the "
            "stream was not held",
            number_count((uint64_t)result->samples, "sample", number), result->throttled,
            nvml_reasons_text(result->during.reasons, reasons, sizeof reasons), result->late);
    return true;
}

static const char other_code[] = "floors hold for code without options of its compiler";

/* Held to no limit, as its code is not what limits were measured of. */
static bool has_options(struct subject subject)
{
    return path_row(subject.path)->options != NULL;
}

/* The checks before any floor. True if a floor may be asked. */
static bool is_worth_judging(const struct bench *bench, struct bench_result *result)
{
    if (!bench_judge_soundness(bench, result))
        return false;
    if (device_kind(bench->info)->is_timed)
        return true;
    return finding_set(&result->finding, VERDICT_SKIP, "", "%s", line_no_floors);
}

struct floor_key bench_floor_key(const struct bench *bench, int row, char name[CATALOG_NAME_BYTES])
{
    const struct bench_row *it = &bench->plan.rows[row];
    const struct bench_group *group = &bench->plan.groups[it->group];
    struct traffic traffic = bench_traffic(group);
    uint64_t sectors = bench_model_bytes(&group->test_case, 0);
    double moved = (double)(traffic.read_bytes + traffic.written_bytes);
    const struct kernel *kernel = catalog_kernel(it->subject.kernel);
    double turns = kernel->one_address
                       ? algorithm_lanes(group->test_case.algorithm, group->test_case.axis)
                       : 1;
    return (struct floor_key){.crosses_link = callable_kind_of(kernel)->crosses_link,
                              .is_pageable = kernel->remote.memory == KERNEL_MEMORY_PAGEABLE,
                              .kernel = catalog_name(it->subject.kernel, name),
                              .shape = group->name,
                              .element_bytes = (int)case_view(&group->test_case, 0).element_bytes,
                              .regime = group->regime,
                              .flops_per_byte = bench_intensity(group),
                              .sector_efficiency =
                                  (sectors > 0 ? moved / (double)sectors : 1) / turns};
}

bool bench_judge_row(struct bench *bench, int row)
{
    struct bench_result *result = &bench->results[row];
    char name[CATALOG_NAME_BYTES], note[FINDING_NOTE_BYTES];
    bool has_ceiling = true;
    const int repeats = bench_repeats(bench, result);
    for (int repeat = 0; repeat < repeats; repeat++) {
        struct interval roof = bench_roofline(bench, row, repeat);
        has_ceiling = has_ceiling && roof.lower > 0;
        if (has_ceiling && result->gbps[repeat].lower > 0)
            result->fraction[repeat] = statistics_ratio(result->gbps[repeat], roof);
    }
    struct floor_key key = bench_floor_key(bench, row, name);
    result->limit = floors_kernel(bench->floors, bench->info, &key);
    if (!is_worth_judging(bench, result))
        return false;
    const bool is_other = has_options(bench->plan.rows[row].subject);
    if (is_other || !bench->own_sizes)
        return finding_set(&result->finding, VERDICT_SKIP, "", "%s",
                           is_other ? other_code
                                    : "floors hold for the shapes' own sizes, not for --bytes");
    /* What no limit follows from is recorded: a baseline compares it. */
    const bool lacks_clock = key.flops_per_byte > 1 && device_peak_gflops(bench->info) <= 0;
    if (!has_ceiling && (key.crosses_link || lacks_clock)) {
        finding_set(&result->finding, VERDICT_PASS,
                    key.crosses_link ? "bandwidth.link.unknown" : "bandwidth.ceiling.clock",
                    "%s: %s", line_not_judged,
                    key.crosses_link ? "NVML does not report the generation and width of the link"
                                     : "the driver does not report the SM clock");
        return false;
    }
    if (!has_ceiling)
        return finding_set(&result->finding, VERDICT_INCONCLUSIVE, "", "%s",
                           "the copy that it is compared with was not measured");
    enum comparison assessment = statistics_judge(result->fraction, repeats, result->limit.value);
    snprintf(note, sizeof note, "%.4f of %s is %s its floor of %.4f",
             bench_median(result->fraction, repeats),
             key.crosses_link ? "the link to the host" : "its ceiling",
             assessment == COMPARISON_BELOW ? "below, in each repeat," : "too near to",
             result->limit.value);
    if (!key.crosses_link)
        return decide(bench, result, assessment, "bandwidth.floor.kernel", note);
    if (assessment == COMPARISON_BELOW && bench->session->device_count > 1)
        return finding_set(&result->finding, VERDICT_INCONCLUSIVE, "bandwidth.link.shared",
                           "other GPUs of the host were measured meanwhile and may share the link: "
                           "%.120s; measure it alone with --device",
                           note);
    return decide(bench, result, assessment, "bandwidth.link.floor", note);
}

bool bench_judge_latency(struct bench *bench, int call)
{
    struct bench_result *result = &bench->latencies[call];
    char note[FINDING_NOTE_BYTES];
    result->limit =
        floors_latency(bench->floors, bench->info, &bench->host, bench_latency_name(call));
    if (!is_worth_judging(bench, result))
        return false;
    enum comparison assessment =
        statistics_judge(result->unit_us, bench_repeats(bench, result), result->limit.value);
    snprintf(note, sizeof note, "%.2f us is %s its ceiling of %.2f us",
             bench_median(result->unit_us, bench_repeats(bench, result)),
             assessment == COMPARISON_ABOVE ? "above" : "too near to", result->limit.value);
    return decide(bench, result, assessment, "bandwidth.latency.ceiling", note);
}

/* Copies of few bytes are not held to a floor: in the L2 cache those of products, whose kernels are
 * held against the roofline of arithmetic; in DRAM those that the cache may serve in part. */
static bool has_own_peak(const struct bench *bench, int index, enum regime regime)
{
    const struct bench_group *group = &bench->plan.groups[index];
    const bool is_large =
        regime == REGIME_DRAM
            ? !bench->own_sizes || group->footprint_bytes >= group->rotation.cold_bytes
            : bench_intensity(group) <= 1;
    return group->regime == regime && is_large && group->ceiling == index;
}

bool bench_has_peak(const struct bench *bench, enum regime regime)
{
    int group = 0;
    while (group < bench->plan.group_count && !has_own_peak(bench, group, regime))
        group++;
    return group < bench->plan.group_count;
}

/* The group whose copies were the regime's best, or -1: of those with the most repeats. */
static int best_group(const struct bench *bench, enum regime regime)
{
    double best = 0;
    int found = -1, most = 0;
    for (int group = 0; group < bench->plan.group_count; group++) {
        const struct bench_ceiling *ceiling = &bench->ceilings[group];
        const int repeats = bench_repeats(bench, &ceiling->copy_result);
        const double median = bench_median(ceiling->best, repeats);
        if (!has_own_peak(bench, group, regime) || repeats < most || median <= 0 ||
            (repeats == most && median <= best))
            continue;
        most = repeats;
        best = median;
        found = group;
    }
    return found;
}

/* Kernels are compared with copies of their own size, and the best copy may be a small one: a
 * memory that is slow for large buffers alone would be found by neither. On H200s copies of 240 MiB
 * and more reached 0.93 of the best one and more. */
static void judge_sizes(const struct bench *bench, const struct bench_ceiling *best,
                        struct bench_result *peak)
{
    static const double least = 0.75;
    for (int group = 0; group < bench->plan.group_count; group++) {
        const struct bench_ceiling *it = &bench->ceilings[group];
        struct bench_result own = it->copy_result;
        struct interval ratios[BENCH_REPEATS_MAX];
        char note[FINDING_NOTE_BYTES];
        int repeats = bench_repeats(bench, &best->copy_result);
        if (bench_repeats(bench, &own) < repeats)
            repeats = bench_repeats(bench, &own);
        bool is_measured = has_own_peak(bench, group, REGIME_DRAM);
        for (int repeat = 0; is_measured && repeat < repeats; repeat++) {
            is_measured =
                !it->is_unfit[repeat] && it->best[repeat].lower > 0 && best->best[repeat].lower > 0;
            if (is_measured)
                ratios[repeat] = statistics_ratio(it->best[repeat], best->best[repeat]);
        }
        if (!is_measured || statistics_judge(ratios, repeats, least) != COMPARISON_BELOW)
            continue;
        snprintf(note, sizeof note, "copies in buffers of %s reach %.4f of the best copy, below %g",
                 NUMBER_BYTES((double)bench->plan.groups[group].footprint_bytes),
                 bench_median(ratios, repeats), least);
        own.limit = peak->limit;
        decide(bench, &own, COMPARISON_BELOW, "bandwidth.ceiling.alike", note);
        peak->finding = own.finding;
        return;
    }
}

/* No copy has a speed. True if one was tried and is undecided: so is the best copy, then. */
static bool take_undecided(const struct bench *bench, enum regime regime, struct finding *ret)
{
    for (int group = 0; group < bench->plan.group_count; group++) {
        const struct bench_ceiling *ceiling = &bench->ceilings[group];
        const struct bench_result *const copies[] = {&ceiling->memcpy_result,
                                                     &ceiling->copy_result};
        for (int copy = 0; copy < 2 && has_own_peak(bench, group, regime); copy++)
            if (copies[copy]->finding.verdict == VERDICT_INCONCLUSIVE) {
                *ret = copies[copy]->finding;
                return true;
            }
    }
    return false;
}

bool bench_judge_peak(struct bench *bench, enum regime regime)
{
    struct bench_result *result = &bench->peaks[regime];
    char note[FINDING_NOTE_BYTES];
    const double peak = bench_peak_gbps(bench->info, regime);
    struct limit floor = floors_ceiling(bench->floors, bench->info, regime);
    int group = bench->peak_groups[regime] = best_group(bench, regime);
    result->limit = floor;
    if (group < 0)
        return !take_undecided(bench, regime, &result->finding) &&
               finding_set(&result->finding, VERDICT_SKIP, "", "no copy was measured");
    const struct bench_ceiling *ceiling = &bench->ceilings[group];
    /* The better copy of the group: its other facts go with its figures. */
    const int copy_repeats = bench_repeats(bench, &ceiling->copy_result);
    const bool is_memcpy = bench_median(ceiling->memcpy_result.gbps, copy_repeats) >
                           bench_median(ceiling->copy_result.gbps, copy_repeats);
    *result = is_memcpy ? ceiling->memcpy_result : ceiling->copy_result;
    result->limit = floor;
    memcpy(result->gbps, ceiling->best, sizeof result->gbps);
    if (!is_worth_judging(bench, result))
        return false;
    if (peak <= 0 || !bench->own_sizes || has_options(bench->plan.copy_kernel))
        return finding_set(
            &result->finding, VERDICT_SKIP, "", "%s",
            has_options(bench->plan.copy_kernel) ? other_code
            : peak > 0
                ? "the ceiling's floor holds for the shapes' own sizes, not for --bytes"
                : "the driver does not report the clock and width that the peak follows from");
    struct interval whole = {peak, peak, peak};
    for (int repeat = 0; repeat < bench_repeats(bench, result); repeat++)
        result->fraction[repeat] = statistics_ratio(result->gbps[repeat], whole);
    const int repeats = bench_repeats(bench, result);
    const double fraction = bench_median(result->fraction, repeats);
    if (fraction > 1)
        return finding_set(
            &result->finding, VERDICT_INCONCLUSIVE, "bandwidth.ceiling.possible",
            "the best copy reaches %.4f of the derived peak: something else was measured, or "
            "the driver reports a wrong clock or width",
            fraction);
    enum comparison assessment = statistics_judge(result->fraction, repeats, result->limit.value);
    snprintf(note, sizeof note, "the best copy reaches %.4f of the derived peak, %s its floor %.4f",
             fraction, assessment == COMPARISON_BELOW ? "below" : "too near to",
             result->limit.value);
    const bool may_decide = decide(bench, result, assessment, "bandwidth.ceiling.floor", note);
    if (regime == REGIME_DRAM && result->finding.verdict == VERDICT_PASS)
        judge_sizes(bench, ceiling, result);
    return may_decide;
}

void bench_count_ceiling(struct bench *bench, struct bench_ceiling *ceiling)
{
    struct bench_result *const copies[] = {&ceiling->memcpy_result, &ceiling->copy_result};
    for (int copy = 0; copy < 2; copy++) {
        bench_judge_soundness(bench, copies[copy]);
        if (copies[copy]->finding.verdict != VERDICT_PASS)
            bench->verdicts[copies[copy]->finding.verdict]++;
    }
}

/* The rows of a relation's two kernels through the path. False if the plan lacks one of them. */
static bool find_rows(const struct bench *bench, const struct relation *it, int path,
                      int ret_rows[2])
{
    const char *const names[] = {it->kernel, it->against};
    const char *const shapes[] = {it->shape, it->against_shape};
    for (int side = 0; side < 2; side++) {
        int row = 0;
        for (; row < bench->plan.row_count; row++) {
            const struct bench_row *own = &bench->plan.rows[row];
            const struct bench_group *group = &bench->plan.groups[own->group];
            char name[CATALOG_NAME_BYTES];
            if (own->subject.path == path && group->regime == it->regime &&
                strcmp(group->name, shapes[side]) == 0 &&
                strcmp(catalog_name(own->subject.kernel, name), names[side]) == 0)
                break;
        }
        if (row == bench->plan.row_count)
            return false;
        ret_rows[side] = row;
    }
    return true;
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
    snprintf(it->finding.note, sizeof it->finding.note, "%s: the ratio is %.3f%s", word,
             bench_median(ratio, bench->repeats),
             enough ? "" : ", and a kernel of it was slowed or has too few samples");
    const bool is_other = path_row(it->path)->options != NULL;
    if (it->applies && bench->own_sizes && !is_other)
        return;
    it->finding.verdict = VERDICT_SKIP;
    if (is_other)
        snprintf(it->finding.note, sizeof it->finding.note, "%s here: the ratio is %.3f; %s", word,
                 bench_median(ratio, bench->repeats), other_code);
    else if (!device_kind(bench->info)->is_timed)
        snprintf(it->finding.note, sizeof it->finding.note,
                 "the host device has no relations of speed");
    else
        snprintf(it->finding.note, sizeof it->finding.note,
                 "the ratio is %.3f: for information, %s", bench_median(ratio, bench->repeats),
                 it->applies ? "as --bytes changes the sizes"
                             : "as its bounds are of other GPU models");
}

bool bench_is_related(const struct bench *bench, int row)
{
    int rows[2];
    for (int index = 0; index < floors_relation_count(bench->floors); index++) {
        const struct relation relation = floors_relation(bench->floors, index);
        if (floors_relation_applies(&relation, bench->info) &&
            find_rows(bench, &relation, bench->plan.rows[row].subject.path, rows) &&
            (rows[0] == row || rows[1] == row))
            return true;
    }
    return false;
}

/* The relation of two rows that were measured. */
static void take_relation(struct bench *bench, const struct relation *relation, const int rows[2])
{
    const struct bench_result *left = &bench->results[rows[0]], *right = &bench->results[rows[1]];
    const int samples =
        left->samples_least < right->samples_least ? left->samples_least : right->samples_least;
    struct bench_relation *it = &bench->relations[bench->relation_count++];
    *it = (struct bench_relation){.relation = *relation,
                                  .path = bench->plan.rows[rows[0]].subject.path,
                                  .applies = floors_relation_applies(relation, bench->info)};
    for (int repeat = 0; repeat < bench->repeats; repeat++)
        it->ratio[repeat] = statistics_ratio(left->gbps[repeat], right->gbps[repeat]);
    /* The ratio of two speeds says nothing if one of them was slowed. */
    judge_relation(bench, it, left->slowed + right->slowed > 0 ? 0 : samples);
    /* If either kernel may have been slowed, a relation that does not hold says nothing. */
    const struct bench_result *const results[] = {left, right};
    char why[WHY_BYTES], held[sizeof it->finding.note];
    for (int index = 0; index < 2 && it->finding.verdict == VERDICT_FAIL; index++) {
        if (!disturbance(bench, results[index], why))
            continue;
        memcpy(held, it->finding.note, sizeof held);
        it->finding.verdict = VERDICT_INCONCLUSIVE;
        snprintf(it->finding.note, sizeof it->finding.note, "%s: %.100s", why, held);
    }
}

void bench_judge_relations(struct bench *bench)
{
    int rows[2];
    for (int index = 0; index < floors_relation_count(bench->floors); index++) {
        const struct relation relation = floors_relation(bench->floors, index);
        const bool is_chosen = floors_relation_is_chosen(bench->floors, index, bench->info);
        for (int path = 0; is_chosen && path < path_count(); path++)
            if (find_rows(bench, &relation, path, rows) && bench->results[rows[0]].measured &&
                bench->results[rows[1]].measured)
                take_relation(bench, &relation, rows);
    }
}
