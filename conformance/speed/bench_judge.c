/* Verdicts on what was measured (bench_judge.h). Clauses: bandwidth.verdict.repeats,
 * bandwidth.verdict.host, bandwidth.samples.count, bandwidth.sensors.ecc, bandwidth.ceiling.floor,
 * bandwidth.latency.ceiling, bandwidth.latency.host. */
#include <stdio.h>
#include <string.h>

#include "conformance/speed/bench_judge.h"
#include "conformance/speed/disturbed.h"
#include "conformance/base/number.h"
#include "conformance/work/nvml.h"

/* The verdict that follows from where the repeats lie beside the limit: on the good side a PASS
 * stays as it is. True when more samples may decide. */
static bool decide(const struct bench *bench, struct bench_result *result,
                   enum comparison assessment, const char *clause, const char *note)
{
    char why[BENCH_WHY_BYTES] = "";
    const char *disturbed = bench_disturbance(bench, result, why);
    bool is_floor = result->limit.kind == LIMIT_FLOOR;
    if (assessment == (is_floor ? COMPARISON_ABOVE : COMPARISON_BELOW))
        return false;
    if (assessment == COMPARISON_UNDECIDED) {
        finding_set(&result->finding, VERDICT_INCONCLUSIVE, clause, "%s", note);
        return true;
    }
    if (disturbed)
        finding_set(&result->finding, VERDICT_INCONCLUSIVE, disturbed, "%s: %.120s", why, note);
    else
        finding_set(&result->finding, VERDICT_FAIL, clause, "%s", note);
    return false;
}

bool bench_judge_soundness(const struct bench *bench, struct bench_result *result)
{
    char reasons[128], number[NUMBER_COUNT_BYTES];
    if (result->finding.verdict != VERDICT_PASS)
        return false;
    if (!device_kind(bench->info)->is_timed)
        return true;
    bool known = result->before.ecc_known && result->after.ecc_known;
    if (known && result->after.ecc_uncorrected > result->before.ecc_uncorrected) {
        finding_set(&result->finding, VERDICT_FAIL, "bandwidth.sensors.ecc",
                    "%s while it was measured",
                    number_count(result->after.ecc_uncorrected - result->before.ecc_uncorrected,
                                 "uncorrected memory error", number));
        return false;
    }
    if (!result->measured || result->samples_least < BENCH_SAMPLES_LEAST) {
        finding_set(
            &result->finding, VERDICT_INCONCLUSIVE, "bandwidth.samples.count",
            "only %s left; discarded: %d as the GPU was slowed (%s), %d as the stream was not held",
            number_count((uint64_t)result->samples, "sample", number), result->throttled,
            nvml_reasons_text(result->during.reasons, reasons, sizeof reasons), result->late);
        return false;
    }
    return true;
}

const char bench_no_floors[] =
    "the host device has no floors: the emulation says nothing about speed";

const char bench_other_code[] = "floors hold for code without options of its compiler";

/* Held to no limit, as its code is not what limits were measured of. */
static bool has_options(struct subject subject)
{
    return path_row(subject.path)->options != NULL;
}

/* What comes before any floor. True when a floor may be asked. */
static bool is_worth_judging(const struct bench *bench, struct bench_result *result)
{
    if (!bench_judge_soundness(bench, result))
        return false;
    if (device_kind(bench->info)->is_timed)
        return true;
    finding_set(&result->finding, VERDICT_SKIP, "", "%s", bench_no_floors);
    return false;
}

struct floor_key bench_floor_key(const struct bench *bench, int row, char name[CATALOG_NAME_BYTES])
{
    const struct bench_row *it = &bench->plan.rows[row];
    const struct bench_group *group = &bench->plan.groups[it->group];
    struct traffic traffic = bench_traffic(group);
    uint64_t sectors = bench_sector_bytes(&group->test_case);
    double moved = (double)(traffic.read_bytes + traffic.written_bytes);
    double turns =
        catalog_kernel(it->subject.kernel)->one_address ? case_lanes(&group->test_case) : 1;
    return (struct floor_key){.kernel = catalog_name(it->subject.kernel, name),
                              .shape = bench_shapes[group->shape].name,
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
    if (is_other || !bench->own_sizes) {
        finding_set(&result->finding, VERDICT_SKIP, "", "%s",
                    is_other ? bench_other_code
                             : "floors hold for the shapes' own sizes, not for --bytes");
        return false;
    }
    if (!has_ceiling) {
        finding_set(&result->finding, VERDICT_INCONCLUSIVE, "",
                    "the copy that it is compared with was not measured");
        return false;
    }
    enum comparison assessment = statistics_judge(result->fraction, repeats, result->limit.value);
    snprintf(note, sizeof note, "%.4f of its ceiling is %s its floor of %.4f",
             bench_median(result->fraction, repeats),
             assessment == COMPARISON_BELOW ? "below, in each repeat," : "too near to",
             result->limit.value);
    return decide(bench, result, assessment, "bandwidth.floor.kernel", note);
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
    if (result->limit.measured || assessment != COMPARISON_BELOW)
        return decide(bench, result, assessment, "bandwidth.latency.ceiling", note);
    finding_set(
        &result->finding, VERDICT_INCONCLUSIVE, "bandwidth.latency.host",
        "no ceiling is known on this host: `assay bench --repeats 10 -o RECORD`, `assay floors "
        "--host-calls RECORD -o FILE`, then --floors FILE (CPU %.60s, hypervisor %.16s)",
        bench->host.cpu, bench->host.hypervisor);
    return false;
}

/* The better copy of a group, whose other facts go with its figures. */
static const struct bench_result *better_copy(const struct bench *bench,
                                              const struct bench_ceiling *ceiling)
{
    const int repeats = bench_repeats(bench, &ceiling->copy_result);
    return bench_median(ceiling->memcpy_result.gbps, repeats) >
                   bench_median(ceiling->copy_result.gbps, repeats)
               ? &ceiling->memcpy_result
               : &ceiling->copy_result;
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
    return group->regime == regime && is_large;
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

/* The best copy's figures and its fraction of the peak. False where they are not judged. */
static bool take_peak(struct bench *bench, enum regime regime, double peak)
{
    struct bench_result *result = &bench->peaks[regime];
    struct limit floor = floors_ceiling(bench->floors, bench->info, regime);
    int group = bench->peak_groups[regime] = best_group(bench, regime);
    result->limit = floor;
    if (group < 0) {
        finding_set(&result->finding, VERDICT_SKIP, "", "no copy was measured");
        return false;
    }
    const struct bench_ceiling *ceiling = &bench->ceilings[group];
    *result = *better_copy(bench, ceiling);
    result->limit = floor;
    memcpy(result->gbps, ceiling->best, sizeof result->gbps);
    if (!is_worth_judging(bench, result))
        return false;
    if (peak <= 0 || !bench->own_sizes || has_options(bench->plan.copy_kernel)) {
        finding_set(
            &result->finding, VERDICT_SKIP, "", "%s",
            has_options(bench->plan.copy_kernel) ? bench_other_code
            : peak > 0
                ? "the ceiling's floor holds for the shapes' own sizes, not for --bytes"
                : "the driver does not report the clock and width that the peak follows from");
        return false;
    }
    struct interval whole = {peak, peak, peak};
    for (int repeat = 0; repeat < bench_repeats(bench, result); repeat++)
        result->fraction[repeat] = statistics_ratio(result->gbps[repeat], whole);
    return true;
}

bool bench_judge_peak(struct bench *bench, enum regime regime)
{
    struct bench_result *result = &bench->peaks[regime];
    char note[FINDING_NOTE_BYTES];
    if (!take_peak(bench, regime, bench_peak_gbps(bench->info, regime)))
        return false;
    const int repeats = bench_repeats(bench, result);
    const double fraction = bench_median(result->fraction, repeats);
    if (fraction > 1) {
        finding_set(
            &result->finding, VERDICT_INCONCLUSIVE, "bandwidth.ceiling.possible",
            "the best copy reaches %.4f of the derived peak: something else was measured, or "
            "the driver reports a wrong clock or width",
            fraction);
        return false;
    }
    enum comparison assessment = statistics_judge(result->fraction, repeats, result->limit.value);
    snprintf(note, sizeof note, "the best copy reaches %.4f of the derived peak, %s its floor %.4f",
             fraction, assessment == COMPARISON_BELOW ? "below" : "too near to",
             result->limit.value);
    return decide(bench, result, assessment, "bandwidth.ceiling.floor", note);
}

/* A copy is held to no floor in its group: only what is wrong with it counts. */
static void count_copy(struct bench *bench, struct bench_result *copy)
{
    bench_judge_soundness(bench, copy);
    if (copy->finding.verdict != VERDICT_PASS)
        bench->verdicts[copy->finding.verdict]++;
}

void bench_count_ceiling(struct bench *bench, struct bench_ceiling *ceiling)
{
    count_copy(bench, &ceiling->memcpy_result);
    count_copy(bench, &ceiling->copy_result);
}
