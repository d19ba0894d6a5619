/* A bench and its sweep, as text and as TAP (report.h). */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/file.h"
#include "conformance/base/host.h"
#include "conformance/base/process.h"
#include "conformance/base/text.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/failure.h"
#include "conformance/report/report.h"
#include "conformance/session/session.h"
#include "conformance/speed/bench.h"

/* A bench as text and as TAP. */

static const char *label(const struct bench *bench)
{
    return bench->session->devices[bench->device].label;
}

/* Why a selected kernel has no row. */
/* Puts the verdict of a line and, unless it was said before, its note: what holds for all of the
 * host device is said once. `more` follows, unless it is "". */
static void put_verdict(enum verdict verdict, const char *note, const char *said, const char *more)
{
    const bool is_said = strcmp(note, bench_no_floors) == 0 || strcmp(note, said) == 0;
    printf("%s%s%s%s%s\n", verdict_name(verdict), note[0] && !is_said ? ": " : "",
           is_said ? "" : note, more[0] ? "; " : "", more);
}

static int path_width(const struct bench *bench)
{
    return session_path_width(bench->session) + 1;
}

static void text_begin(const void *state)
{
    const struct bench *bench = state;
    const struct device_info *info = bench->info;
    char cleared[1024];
    const char *why;
    enum verdict verdict;
    printf("%-8s  %s", label(bench), info->name);
    if (!device_kind(info)->is_emulated)
        printf(", compute capability %d.%d, L2 %d bytes, derived peaks %.0f GB/s and %.0f GFLOP/s",
               info->limits.compute_capability / 10, info->limits.compute_capability % 10,
               info->l2_bytes, device_peak_gbps(info), device_peak_gflops(info));
    printf("\n");
    if (environment_join(ENVIRONMENT_CLEARED, cleared, sizeof cleared))
        printf("cleared   %s: it would change the measurements\n", cleared);
    printf(
        "plan      %s, %s of %s each; GB is 10^9 bytes, fractions are of the same run's best copy "
        "or of the roofline\n",
        NUMBER_COUNT((uint64_t)bench->plan.row_count, "measurement"),
        NUMBER_COUNT((uint64_t)bench->repeats, "repeat"),
        NUMBER_COUNT((uint64_t)bench->samples, "sample"));
    if (!device_kind(info)->is_timed)
        printf("note      %s\n", bench_no_floors);
    for (int id = 0; id < catalog_count(); id++)
        if ((verdict = bench_unmeasured(bench, id, &why)) != VERDICT_PASS)
            printf("%-8s  %s: %s\n", verdict_name(verdict), CATALOG_NAME(id), why);
    printf("\n%-27s %-*s %-10s %-5s %9s %19s %6s %8s %8s %7s %9s  verdict\n", "kernel",
           path_width(bench), "path", "shape", "where", "GB/s", "99 % bounds of all", "% peak",
           "fraction", "floor", "finds", "GFLOP/s");
    fflush(stdout); /* now, so that a reader who has gone is noticed before hours are measured */
}

/* The table comes when all repeats are done: until then a terminal shows what is measured. */
static void text_progress(const void *state)
{
    const struct bench *bench = state;
    if (!isatty(STDERR_FILENO))
        return;
    output_erase_line();
    if (bench->group >= 0) {
        const struct bench_group *it = &bench->plan.groups[bench->group];
        fprintf(stderr, "%s: repeat %d of %d: %s %s %s", label(bench), bench->repeat + 1,
                bench->repeats, bench_shapes[it->shape].algorithm, bench_shapes[it->shape].name,
                regime_name(it->regime));
    }
    fflush(stderr);
}

static char star(const struct line_limit *limit)
{
    return limit->measured ? ' ' : '*';
}

/* The head of a sweep, whose rows follow. Clause: bandwidth.sweep.unjudged. */
static void show_sweep(const void *state, const void *unused)
{
    const struct bench *bench = state;
    (void)unused;
    printf("\nsweep     %s, 1 repeat of %s each, in GB/s; no speed is judged\n\n"
           "%-7s %11s %-27s %-*s %-5s %9s %9s %9s %9s  verdict\n",
           NUMBER_COUNT((uint64_t)bench->sweep.plan.group_count, "point"),
           NUMBER_COUNT((uint64_t)bench->samples, "sample"), "figure", "at", "kernel",
           path_width(bench), "path", "where", "kernel", "memcpy", "copy", "cuBLAS");
}

/* A copy's speed or a library's, or its verdict; "-" if the record has none. */
static void put_other(struct intervals gbps, struct maybe_verdict verdict)
{
    if (!verdict.is_there)
        printf(" %9s", "-");
    else if (verdict.verdict == VERDICT_PASS)
        printf(" %9.4g", spread_of(gbps).median);
    else
        printf(" %9.9s", verdict_name(verdict.verdict));
}

/* Why a point has no speed of a library, in the first row with that reason; else "". */
static const char *library_why(const struct session *session, const struct line_sweep *point)
{
    const struct line *line;
    if (!point->library_verdict.is_there || point->library_verdict.verdict == VERDICT_PASS)
        return "";
    for (size_t at = 0;
         (line = report_next(session, RECORD_sweep, &at)) != NULL && line != &point->line;) {
        const struct line_sweep *other = LINE_AS(sweep, line);
        if (strcmp(other->library, point->library) == 0)
            return "";
    }
    return point->library;
}

static void text_point(const struct session *session, const struct line_sweep *it)
{
    printf("%-7s %11" PRIu64 " %-27s %-*s %-5s %9.4g", it->figure, it->at, it->subject.kernel,
           session_path_width(session) + 1, it->subject.path, it->shaped.regime,
           spread_of(it->gbps).median);
    put_other(it->memcpy_gbps, it->memcpy_verdict);
    put_other(it->copy_gbps, it->copy_verdict);
    put_other(it->library_gbps, it->library_verdict);
    printf("  ");
    put_verdict(it->result.verdict, it->result.note, "", library_why(session, it));
    fflush(stdout);
}

/* Kinds that text_end and text_point show. */
static bool is_shown_here(enum record_kind kind)
{
    static const enum record_kind kinds[] = {RECORD_sweep, RECORD_ceiling, RECORD_peak,
                                             RECORD_latency, RECORD_relation};
    for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; index++)
        if (kinds[index] == kind)
            return true;
    return false;
}

static void text_line(const struct session *session, const struct line *line)
{
    const struct line_bench *it = LINE_AS(bench, line);
    char bounds[40] = "", gflops[NUMBER_TEXT_BYTES] = "";
    if (line->kind == RECORD_sweep)
        text_point(session, LINE_AS(sweep, line));
    if (it == NULL) {
        if (!is_shown_here(line->kind))
            report_other(line);
        return;
    }
    const struct spread gbps = spread_of(it->gbps);
    if (gbps.median > 0)
        snprintf(bounds, sizeof bounds, "%.4g ... %.4g", gbps.lower, gbps.upper);
    if (it->work.flops > 0)
        snprintf(gflops, sizeof gflops, "%.5g", it->work.gflops);
    printf("%-27s %-*s %-10s %-5s %9.4g %19s %6.1f %8.4f %7.4f%c %7s %9s  ", it->subject.kernel,
           session_path_width(session) + 1, it->subject.path, it->shaped.shape, it->shaped.regime,
           gbps.median, bounds, 100 * it->fraction_of_peak,
           spread_of(it->fraction_of_ceiling).median, it->floor->limit, star(it->floor),
           NUMBER_LOSS(it->floor->found_loss), gflops);
    put_verdict(it->result.verdict, it->result.note, "", "");
    fflush(stdout);
}

/* A copy is counted, and is in no row. */
static bool is_wrong(const struct line_ceiling *ceiling)
{
    const enum verdict verdicts[] = {ceiling->memcpy_verdict, ceiling->copy_verdict};
    bool is_wrong = false;
    for (size_t copy = 0; copy < sizeof verdicts / sizeof verdicts[0]; copy++)
        is_wrong |= verdicts[copy] != VERDICT_PASS &&
                    !(verdicts[copy] == VERDICT_INCONCLUSIVE && stop_is_signalled());
    return is_wrong;
}

static void text_end(const void *state, const struct outcome *outcome)
{
    const struct bench *bench = state;
    const struct session *session = bench->session;
    const struct line *line;
    (void)outcome;
    for (size_t at = 0; (line = report_next(session, RECORD_ceiling, &at)) != NULL;) {
        char words[FAILURE_TEXT_BYTES];
        if (!is_wrong(LINE_AS(ceiling, line)))
            continue;
        failure_text(line, words);
        printf("%s: %s\n", words, LINE_AS(ceiling, line)->note);
    }
    /* Rows of one kernel and path have one command. */
    const char *latest = "", *derived = NULL;
    double worst = 0;
    for (size_t at = 0; (line = report_next(session, RECORD_bench, &at)) != NULL;) {
        const struct line_bench *it = LINE_AS(bench, line);
        if (it->replay[0] && strcmp(it->replay, latest) != 0) {
            printf("%sreplay    %s\n", latest[0] ? "" : "\n", it->replay);
            latest = it->replay;
        }
        if (it->floor->found_loss > worst)
            worst = it->floor->found_loss;
        if (derived == NULL && !it->floor->measured)
            derived = it->floor->from;
    }
    printf("\n");
    for (size_t at = 0; (line = report_next(session, RECORD_peak, &at)) != NULL;) {
        const struct line_peak *it = LINE_AS(peak, line);
        printf("best copy, %-4s  %.4g GB/s, %.4f of the derived peak of %.5g, floor %.4f%s",
               it->regime, spread_of(it->gbps).median, spread_of(it->fraction_of_peak).median,
               it->derived_gbps, it->floor->limit, it->floor->measured ? "" : "*");
        if (it->floor->found_loss > 0)
            printf(" (finds %s)", NUMBER_LOSS(it->floor->found_loss));
        fputs(": ", stdout);
        put_verdict(it->result.verdict, it->result.note, "", "");
    }
    if (bench->sensors_why[0])
        printf("%-9s none: %s\n", "sensors", bench->sensors_why);
    const char *said = NULL; /* what is said of all calls is said once */
    for (size_t at = 0; (line = report_next(session, RECORD_latency, &at)) != NULL;) {
        const struct line_latency *it = LINE_AS(latency, line);
        if (said == NULL)
            printf("\n%-20s %9s %9s  verdict\n", "host call", "us", "most");
        printf("%-20s %9.3f %8.2f%c  ", it->call, spread_of(it->us).median, it->ceiling->limit,
               star(it->ceiling));
        put_verdict(it->result.verdict, it->result.note, said ? said : "", "");
        said = it->result.note;
    }
    bool is_begun = false;
    for (size_t at = 0; (line = report_next(session, RECORD_relation, &at)) != NULL;) {
        const struct line_relation *it = LINE_AS(relation, line);
        if (!is_begun)
            printf("\n%-27s %-10s %-27s %-10s %-*s  verdict\n", "documents' relation", "shape",
                   "against", "shape", path_width(bench), "path");
        is_begun = true;
        printf("%-27s %-10s %-27s %-10s %-*s  %s: %s\n", it->subject.kernel, it->shape, it->against,
               it->against_shape, path_width(bench), it->subject.path, verdict_name(it->verdict),
               it->note);
    }
    /* The meaning of the column "finds", and the limit of every floor. */
    if (worst > 0)
        printf("\nfinds     the smallest loss of speed that any three of the floor's recorded "
               "repeats find;\n          a smaller one may pass. The worst here is %s.\n",
               NUMBER_LOSS(worst));
    if (derived)
        printf("\n* %s\n", derived);
}

static void tap_begin(const void *state)
{
    const struct bench *bench = state;
    const char *why;
    printf("# %s: %s\n", label(bench), bench->info->name);
    for (int id = 0; id < catalog_count(); id++)
        if (bench_unmeasured(bench, id, &why) != VERDICT_PASS)
            tap_line(VERDICT_SKIP, CATALOG_NAME(id), why);
}

static void tap_end(const void *state, const struct outcome *outcome)
{
    static const enum record_kind kinds[] = {RECORD_ceiling, RECORD_peak, RECORD_latency,
                                             RECORD_relation};
    const struct bench *bench = state;
    (void)outcome;
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        const struct line *line;
        if (kinds[kind] == RECORD_peak && bench->sensors_why[0])
            printf("# no sensors: %s\n", bench->sensors_why);
        for (size_t at = 0; (line = report_next(bench->session, kinds[kind], &at)) != NULL;)
            if (line->kind != RECORD_ceiling || is_wrong(LINE_AS(ceiling, line)))
                report_tap_measured(line);
    }
}

static const struct session_report bench_text = {.keeps_lines = true,
                                                 .begin = text_begin,
                                                 .line = text_line,
                                                 .show = show_sweep,
                                                 .progress = text_progress,
                                                 .end = text_end},
                                   bench_tap = {.keeps_lines = true,
                                                .begin = tap_begin,
                                                .line = report_tap_line,
                                                .end = tap_end};
const struct session_report *const report_bench[] = {
    [FORMAT_TEXT] = &bench_text, [FORMAT_TAP] = &bench_tap, [FORMAT_JSON] = NULL};
