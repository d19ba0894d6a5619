/* A bench and its sweep, as text and as TAP (report.h). */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/file.h"
#include "conformance/base/host.h"
#include "conformance/base/text.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/failure.h"
#include "conformance/report/report.h"
#include "conformance/session/session.h"
#include "conformance/speed/bench.h"

/* A sweep as it goes, as text and as TAP: in text a table for each curve, a line a point.
 * Clause: bandwidth.sweep.unjudged. */

enum { WIDTH = 14 };

static bool is_first(const struct bench_plan *plan, int index)
{
    const struct bench_group *point = &plan->groups[index], *before = point - 1;
    return index == 0 || strcmp(point->figure, before->figure) != 0 ||
           point->test_case.algorithm != before->test_case.algorithm;
}

static void print_cell(const struct bench_result *result)
{
    if (result->finding.verdict == VERDICT_PASS)
        printf(" %*.4g", WIDTH, result->gbps[0].median);
    else
        printf(" %*s", WIDTH, verdict_name(result->finding.verdict));
}

static void print_note(const char *what, const char *path, const struct bench_result *result)
{
    if (result->finding.verdict != VERDICT_PASS)
        printf("%11s %s%s%s: %s: %s\n", "", what, path[0] ? " through " : "", path,
               verdict_name(result->finding.verdict), result->finding.note);
}

static void sweep_text_point(const struct bench *bench, int index)
{
    const struct sweep *sweep = &bench->sweep;
    const struct bench_group *point = &sweep->plan.groups[index];
    char name[CATALOG_NAME_BYTES], text[2][NUMBER_COUNT_BYTES];
    if (index == 0)
        printf("\nsweep     %s, 1 repeat of %s each; no speed is judged\n",
               number_count((uint64_t)sweep->plan.group_count, "point", text[0]),
               number_count((uint64_t)bench->samples, "sample", text[1]));
    if (is_first(&sweep->plan, index)) {
        /* Of a curve: kernels without their algorithm's name, code paths below. */
        char named[CATALOG_NAME_BYTES];
        const char *algorithm = point->test_case.algorithm->name;
        printf("\n%s of %s, GB/s\n%11s %-5s %*s %*s", point->figure, algorithm, "at", "where",
               WIDTH, "memcpy", WIDTH, "copy");
        for (int line_row = point->row_begin; line_row < point->row_end; line_row++) {
            const char *slash =
                strchr(catalog_name(sweep->plan.rows[line_row].subject.kernel, named), '/');
            printf(" %*s", WIDTH, slash ? slash + 1 : named);
        }
        printf("\n%11s %-5s %*s %*s", "", "", WIDTH, "", WIDTH, "");
        for (int line_row = point->row_begin; line_row < point->row_end; line_row++)
            printf(" %*s", WIDTH, path_name(sweep->plan.rows[line_row].subject.path));
        printf("\n");
    }
    printf("%11" PRId64 " %-5s", point->at, regime_name(point->regime));
    print_cell(&sweep->ceiling.memcpy_result);
    print_cell(&sweep->ceiling.copy_result);
    for (int row = point->row_begin; row < point->row_end; row++)
        print_cell(&sweep->results[row]);
    printf("\n");
    print_note("memcpy", "", &sweep->ceiling.memcpy_result);
    print_note("copy", "", &sweep->ceiling.copy_result);
    for (int row = point->row_begin; row < point->row_end; row++) {
        const struct subject *subject = &sweep->plan.rows[row].subject;
        print_note(catalog_name(subject->kernel, name), path_name(subject->path),
                   &sweep->results[row]);
    }
    fflush(stdout);
}

static void sweep_tap_point(const struct bench *bench, int index)
{
    const struct bench_group *point = &bench->sweep.plan.groups[index];
    for (int row = point->row_begin; row < point->row_end; row++)
        report_tap_measured(LOADED_SWEEP, bench_line_sweep(bench, row));
}

/* A bench as text and as TAP. */

static const char *label(const struct bench *bench)
{
    return bench->session->devices[bench->device].label;
}

static double fraction_of_peak(const struct bench *bench, double gbps)
{
    double peak = bench_peak_gbps(bench->info, REGIME_DRAM);
    return peak > 0 ? 100 * gbps / peak : 0;
}

/* Why a selected kernel has no row. */
static const char *const unmeasured[VERDICT_COUNT] = {[VERDICT_SKIP] = "takes no measured shape",
                                                      [VERDICT_DECLINED] =
                                                          "no shape of its algorithm is measured"};

/* What follows a verdict; what holds for all of the host device is said once. */
static const char *note_of(const struct bench_result *result)
{
    return strcmp(result->finding.note, bench_no_floors) == 0 ? "" : result->finding.note;
}

static int path_width(const struct bench *bench)
{
    return session_path_width(bench->session) + 1;
}

static void text_begin(const struct bench *bench)
{
    const struct device_info *info = bench->info;
    char text[3][NUMBER_COUNT_BYTES], name[CATALOG_NAME_BYTES], cleared[1024];
    enum verdict verdict;
    printf("%-8s  %s", label(bench), info->name);
    if (!device_kind(info)->is_emulated)
        printf(", compute capability %d.%d, L2 %d bytes, derived peaks %.0f GB/s and %.0f GFLOP/s",
               info->limits.compute_capability / 10, info->limits.compute_capability % 10,
               info->l2_bytes, bench_peak_gbps(info, REGIME_DRAM), bench_peak_gflops(info));
    printf("\n");
    if (environment_join(ENVIRONMENT_CLEARED, cleared, sizeof cleared))
        printf("cleared   %s: it would change the measurements\n", cleared);
    printf(
        "plan      %s, %s of %s each; GB is 10^9 bytes, fractions are of the same run's best copy "
        "or of the roofline\n",
        number_count((uint64_t)bench->plan.row_count, "measurement", text[0]),
        number_count((uint64_t)bench->repeats, "repeat", text[1]),
        number_count((uint64_t)bench->samples, "sample", text[2]));
    if (!device_kind(info)->is_timed)
        printf("note      %s\n", bench_no_floors);
    for (int id = 0; id < catalog_count(); id++)
        if (unmeasured[verdict = bench_unmeasured(bench, id)])
            printf("%-8s  %s: %s\n", verdict_name(verdict), catalog_name(id, name),
                   unmeasured[verdict]);
    printf("\n%-27s %-*s %-10s %-5s %9s %19s %6s %8s %8s %7s %9s  verdict\n", "kernel",
           path_width(bench), "path", "shape", "where", "GB/s", "99 % bounds of all", "% peak",
           "fraction", "floor", "finds", "GFLOP/s");
    fflush(stdout); /* now, so that a reader who has gone is noticed before hours are measured */
}

/* The table comes when all repeats are done: until then a terminal shows what is measured. */
static void text_progress(const struct bench *bench, int group, int repeat)
{
    const struct bench_group *it = &bench->plan.groups[group < 0 ? 0 : group];
    if (!isatty(STDERR_FILENO))
        return;
    output_erase_line();
    if (group >= 0)
        fprintf(stderr, "%s: repeat %d of %d: %s %s %s", label(bench), repeat + 1, bench->repeats,
                bench_shapes[it->shape].algorithm, bench_shapes[it->shape].name,
                regime_name(it->regime));
    fflush(stderr);
}

static void text_row(const struct bench *bench, int row)
{
    const struct bench_row *it = &bench->plan.rows[row];
    const struct bench_group *group = &bench->plan.groups[it->group];
    const struct bench_result *result = &bench->results[row];
    char name[CATALOG_NAME_BYTES], bounds[40] = "", loss[NUMBER_TEXT_BYTES];
    double gbps = bench_median(result->gbps, bench_repeats(bench, result)),
           intensity = bench_intensity(group);
    if (gbps > 0) {
        /* The lowest lower and the highest upper bound of the repeats. */
        double lower = result->gbps[0].lower, upper = result->gbps[0].upper;
        for (int repeat = 1; repeat < bench_repeats(bench, result); repeat++) {
            lower = result->gbps[repeat].lower < lower ? result->gbps[repeat].lower : lower;
            upper = result->gbps[repeat].upper > upper ? result->gbps[repeat].upper : upper;
        }
        snprintf(bounds, sizeof bounds, "%.4g ... %.4g", lower, upper);
    }
    printf("%-27s %-*s %-10s %-5s %9.4g %19s %6.1f %8.4f %7.4f%c",
           catalog_name(it->subject.kernel, name), path_width(bench), path_name(it->subject.path),
           bench_shapes[group->shape].name, regime_name(group->regime), gbps, bounds,
           fraction_of_peak(bench, gbps),
           bench_median(result->fraction, bench_repeats(bench, result)), result->limit.value,
           result->limit.measured ? ' ' : '*');
    printf(" %7s", number_loss(result->limit.found_loss, loss));
    if (intensity > 0)
        printf(" %9.5g", gbps * intensity);
    else
        printf(" %9s", "");
    printf("  %s%s%s\n", verdict_name(result->finding.verdict), note_of(result)[0] ? ": " : "",
           note_of(result));
    fflush(stdout);
}

/* A copy is counted, and is in no row. */
static bool is_wrong(const struct bench_result *copy)
{
    return copy->finding.verdict != VERDICT_PASS && !bench_was_interrupted(copy);
}

static void text_end(const struct bench *bench)
{
    for (int group = 0; group < bench->plan.group_count; group++) {
        char words[FAILURE_TEXT_BYTES];
        if (!is_wrong(&bench->ceilings[group].memcpy_result) &&
            !is_wrong(&bench->ceilings[group].copy_result))
            continue;
        json_t *line = bench_line_ceiling(bench, group);
        failure_text(LOADED_CEILING, line_ceiling(line), words);
        printf("%s: %s\n", words, field_ceiling_note(line_ceiling(line)));
        json_decref(line);
    }
    /* Rows of one kernel and path have one command. */
    char latest[BENCH_REPLAY_BYTES] = "", replay[BENCH_REPLAY_BYTES];
    for (int line_row = 0; line_row < bench->plan.row_count; line_row++) {
        if (!bench_is_open(&bench->results[line_row]) ||
            strcmp(bench_replay(bench, line_row, replay), latest) == 0)
            continue;
        printf("%sreplay    %s\n", latest[0] ? "" : "\n", replay);
        memcpy(latest, replay, sizeof latest);
    }
    char loss[NUMBER_TEXT_BYTES];
    printf("\n");
    for (int regime = 0; regime < REGIME_COUNT; regime++) {
        const struct bench_result *peak = &bench->peaks[regime];
        if (!bench_has_peak(bench, (enum regime)regime))
            continue;
        printf("best copy, %-4s  %.4g GB/s, %.4f of the derived peak of %.5g, floor %.4f%s",
               regime_name((enum regime)regime),
               bench_median(peak->gbps, bench_repeats(bench, peak)),
               bench_median(peak->fraction, bench_repeats(bench, peak)),
               bench_peak_gbps(bench->info, (enum regime)regime), peak->limit.value,
               peak->limit.measured ? "" : "*");
        if (peak->limit.found_loss > 0)
            printf(" (finds %s)", number_loss(peak->limit.found_loss, loss));
        printf(": %s%s%s\n", verdict_name(peak->finding.verdict), note_of(peak)[0] ? ": " : "",
               note_of(peak));
    }
    if (bench->sensors_why[0])
        printf("%-9s none: %s\n", "sensors", bench->sensors_why);
    if (bench->latency_count > 0)
        printf("\n%-20s %9s %9s  verdict\n", "host call", "us", "most");
    const char *last = ""; /* what is said of all calls is said once */
    for (int call = 0; call < bench->latency_count; call++) {
        const struct bench_result *result = &bench->latencies[call];
        const char *note = strcmp(note_of(result), last) == 0 ? "" : note_of(result);
        printf("%-20s %9.3f %8.2f%c  %s%s%s\n", bench_latency_name(call),
               bench_median(result->unit_us, bench_repeats(bench, result)), result->limit.value,
               result->limit.measured ? ' ' : '*', verdict_name(result->finding.verdict),
               note[0] ? ": " : "", note);
        last = note_of(result);
    }
    if (bench->relation_count > 0)
        printf("\n%-27s %-10s %-27s %-10s %-*s  verdict\n", "documents' relation", "shape",
               "against", "shape", path_width(bench), "path");
    for (int index = 0; index < bench->relation_count; index++) {
        const struct bench_relation *it = &bench->relations[index];
        printf("%-27s %-10s %-27s %-10s %-*s  %s: %s\n", it->relation.kernel, it->relation.shape,
               it->relation.against, it->relation.against_shape, path_width(bench),
               path_name(it->path), verdict_name(it->finding.verdict), it->finding.note);
    }
    /* What the column "finds" says, and what no floor can. */
    double worst = 0;
    for (int row = 0; row < bench->plan.row_count; row++)
        if (bench->results[row].limit.found_loss > worst)
            worst = bench->results[row].limit.found_loss;
    if (worst > 0)
        printf("\nfinds     the smallest loss of speed that any three of the floor's recorded "
               "repeats find;\n          a smaller one may pass. The worst here is %s.\n",
               number_loss(worst, loss));
    for (int row = 0; row < bench->plan.row_count; row++) {
        if (bench->results[row].limit.measured)
            continue;
        printf("\n* %s\n", bench->results[row].limit.from);
        break;
    }
}

const struct bench_report bench_report_text = {.begin = text_begin,
                                               .progress = text_progress,
                                               .row = text_row,
                                               .end = text_end,
                                               .point = sweep_text_point};

static void tap_begin(const struct bench *bench)
{
    char name[CATALOG_NAME_BYTES];
    enum verdict verdict;
    printf("# %s: %s\n", label(bench), bench->info->name);
    for (int id = 0; id < catalog_count(); id++)
        if (unmeasured[verdict = bench_unmeasured(bench, id)])
            tap_line(VERDICT_SKIP, catalog_name(id, name), unmeasured[verdict]);
}

static void tap_row(const struct bench *bench, int row)
{
    report_tap_measured(LOADED_BENCH, bench_line_row(bench, row));
}

static void tap_end(const struct bench *bench)
{
    for (int group = 0; group < bench->plan.group_count; group++)
        if (is_wrong(&bench->ceilings[group].memcpy_result) ||
            is_wrong(&bench->ceilings[group].copy_result))
            report_tap_measured(LOADED_CEILING, bench_line_ceiling(bench, group));
    if (bench->sensors_why[0])
        printf("# no sensors: %s\n", bench->sensors_why);
    for (int regime = 0; regime < REGIME_COUNT; regime++)
        if (bench_has_peak(bench, (enum regime)regime))
            report_tap_measured(LOADED_PEAK, bench_line_peak(bench, (enum regime)regime));
    for (int call = 0; call < bench->latency_count; call++)
        report_tap_measured(LOADED_LATENCY, bench_line_latency(bench, call));
    for (int index = 0; index < bench->relation_count; index++)
        report_tap_measured(LOADED_RELATION, bench_line_relation(bench, index));
}

const struct bench_report bench_report_tap = {
    .begin = tap_begin, .row = tap_row, .end = tap_end, .point = sweep_tap_point};
