/* A bench and its sweep while they are measured, as text and as TAP (live_stream.h). The lines of a
 * device follow each other: its host calls, speeds, best copies and relations, and then its sweep.
 */
#include "conformance/report/live_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/model/device_info.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/failure.h"

/* Puts the verdict of a line and, unless it was said before, its note: what holds for all of the
 * host device is said once. `more` follows, unless it is "". */
static void put_verdict(enum verdict verdict, const char *note, const char *said, const char *more)
{
    const bool is_said = strcmp(note, line_no_floors) == 0 || strcmp(note, said) == 0;
    printf("%s%s%s%s%s\n", verdict_name(verdict), note[0] && !is_said ? ": " : "",
           is_said ? "" : note, more[0] ? "; " : "", more);
}

static char star(const struct line_limit *limit)
{
    return limit->measured ? ' ' : '*';
}

static int path_width(const struct live_at *at)
{
    enum { PATH_LETTERS = 4 }; /* "path" */
    return live_path_width(at, PATH_LETTERS) + 1;
}

/* The next line of the kind of that device, from *next on; NULL after the last. */
static const struct line *next_of(const struct live_at *at, enum record_kind kind,
                                  const char *device, size_t *next)
{
    return loaded_next(&at->record->kinds[kind], device, next);
}

static void put_device(const struct line_device *device)
{
    struct device_info info = {.memory_clock_khz = (int)device->memory_clock_khz,
                               .memory_bus_bits = (int)device->memory_bus_bits,
                               .sm_clock_khz = (int)device->sm_clock_khz};
    int major = 0, minor = 0;
    sscanf(device->compute_capability, "%4d.%4d", &major, &minor);
    info.limits.compute_capability = 10 * major + minor;
    info.limits.multiprocessor_count = (int)device->multiprocessors;
    printf("%-8s  %s", device->label, device->name);
    if (!device_kind_of(device->label)->is_emulated)
        printf(", compute capability %s, L2 %" PRIu64
               " bytes, derived peaks %.0f GB/s and %.0f GFLOP/s",
               device->compute_capability, device->l2_bytes, device_peak_gbps(&info),
               device_peak_gflops(&info));
    printf("\n");
}

/* What is measured, once all devices are named: now, so that a reader who has gone is noticed
 * before hours are measured. */
static void put_plan(const struct live_at *at)
{
    const struct line_header *header = at->record->header;
    live_print_cleared(at, "measurements");
    printf(
        "plan      %s, %s of %s each; GB is 10^9 bytes, fractions are of the same run's best copy "
        "or of the roofline\n",
        NUMBER_COUNT(header->cases_planned, "measurement"), NUMBER_COUNT(header->repeats, "repeat"),
        NUMBER_COUNT(header->samples, "sample"));
    if (live_is_emulated(at))
        printf("note      %s\n", line_no_floors);
}

static void put_head(const struct live_at *at, const char *device)
{
    if (at->record->header->devices.count > 1)
        printf("\n%s\n", device);
    printf("\n%-27s %-*s %-10s %-5s %9s %19s %6s %8s %8s %7s %9s  verdict\n", "kernel",
           path_width(at), "path", "shape", "where", "GB/s", "99 % bounds of all", "% peak",
           "fraction", "floor", "finds", "GFLOP/s");
}

static void put_speed(const struct live_at *at, const struct line_bench *it)
{
    char bounds[40] = "", gflops[NUMBER_TEXT_BYTES] = "";
    const struct spread gbps = spread_of(it->gbps);
    if (gbps.median > 0)
        snprintf(bounds, sizeof bounds, "%.4g ... %.4g", gbps.lower, gbps.upper);
    if (it->work.flops > 0)
        snprintf(gflops, sizeof gflops, "%.5g", it->work.gflops);
    printf("%-27s %-*s %-10s %-5s %9.4g %19s %6.1f %8.4f %7.4f%c %7s %9s  ", it->subject.kernel,
           path_width(at), it->subject.path, it->shaped.shape, it->shaped.regime, gbps.median,
           bounds, 100 * it->fraction_of_peak, spread_of(it->fraction_of_ceiling).median,
           it->floor->limit, star(it->floor), NUMBER_LOSS(it->floor->found_loss), gflops);
    put_verdict(it->result.verdict, it->result.note, "", "");
}

/* A copy is counted, and is in no row. */
static bool is_wrong(const struct line_ceiling *ceiling)
{
    const enum verdict verdicts[] = {ceiling->memcpy_verdict, ceiling->copy_verdict};
    const bool is_cut = strcmp(ceiling->note, line_interrupted) == 0;
    bool is_wrong = false;
    for (size_t copy = 0; copy < sizeof verdicts / sizeof verdicts[0]; copy++)
        is_wrong |=
            verdicts[copy] != VERDICT_PASS && !(verdicts[copy] == VERDICT_INCONCLUSIVE && is_cut);
    return is_wrong;
}

static void put_copies(const struct live_at *at, const char *device)
{
    const struct line *line;
    for (size_t next = 0; (line = next_of(at, RECORD_ceiling, device, &next)) != NULL;) {
        char words[FAILURE_TEXT_BYTES];
        if (!is_wrong(LINE_AS(ceiling, line)))
            continue;
        failure_text(line, words);
        printf("%s: %s\n", words, LINE_AS(ceiling, line)->note);
    }
}

/* Rows of one kernel and path have one command. */
static void put_replays(const struct live_at *at, const char *device)
{
    const struct line *line;
    const char *latest = "";
    for (size_t next = 0; (line = next_of(at, RECORD_bench, device, &next)) != NULL;) {
        const char *replay = LINE_AS(bench, line)->replay;
        if (replay[0] && strcmp(replay, latest) != 0) {
            printf("%sreplay    %s\n", latest[0] ? "" : "\n", replay);
            latest = replay;
        }
    }
}

static void put_peaks(const struct live_at *at, const char *device)
{
    const struct line *line;
    const char *sensors_note = "";
    printf("\n");
    for (size_t next = 0; (line = next_of(at, RECORD_peak, device, &next)) != NULL;) {
        const struct line_peak *it = LINE_AS(peak, line);
        printf("best copy, %-4s  %.4g GB/s, %.4f of the derived peak of %.5g, floor %.4f%s",
               it->regime, spread_of(it->gbps).median, spread_of(it->fraction_of_peak).median,
               it->derived_gbps, it->floor->limit, it->floor->measured ? "" : "*");
        if (it->floor->found_loss > 0)
            printf(" (finds %s)", NUMBER_LOSS(it->floor->found_loss));
        fputs(": ", stdout);
        put_verdict(it->result.verdict, it->result.note, "", "");
        sensors_note = it->sensors_note;
    }
    if (sensors_note[0])
        printf("%-9s none: %s\n", "sensors", sensors_note);
}

static void put_calls(const struct live_at *at, const char *device)
{
    const struct line *line;
    const char *said = NULL; /* what is said of all calls is said once */
    for (size_t next = 0; (line = next_of(at, RECORD_latency, device, &next)) != NULL;) {
        const struct line_latency *it = LINE_AS(latency, line);
        if (said == NULL)
            printf("\n%-20s %9s %9s  verdict\n", "host call", "us", "most");
        printf("%-20s %9.3f %8.2f%c  ", it->call, spread_of(it->us).median, it->ceiling->limit,
               star(it->ceiling));
        put_verdict(it->result.verdict, it->result.note, said ? said : "", "");
        said = it->result.note;
    }
}

static void put_relations(const struct live_at *at, const char *device)
{
    const struct line *line;
    bool is_begun = false;
    for (size_t next = 0; (line = next_of(at, RECORD_relation, device, &next)) != NULL;) {
        const struct line_relation *it = LINE_AS(relation, line);
        if (!is_begun)
            printf("\n%-27s %-10s %-27s %-10s %-*s  verdict\n", "documents' relation", "shape",
                   "against", "shape", path_width(at), "path");
        is_begun = true;
        printf("%-27s %-10s %-27s %-10s %-*s  %s: %s\n", it->subject.kernel, it->shape, it->against,
               it->against_shape, path_width(at), it->subject.path, verdict_name(it->verdict),
               it->note);
    }
}

/* The meaning of the column "finds", and the limit of every floor. */
static void put_floors(const struct live_at *at, const char *device)
{
    const struct line *line;
    const char *derived = NULL;
    double worst = 0;
    for (size_t next = 0; (line = next_of(at, RECORD_bench, device, &next)) != NULL;) {
        const struct line_limit *floor = LINE_AS(bench, line)->floor;
        worst = floor->found_loss > worst ? floor->found_loss : worst;
        derived = derived == NULL && !floor->measured ? floor->from : derived;
    }
    if (worst > 0)
        printf("\nfinds     the smallest loss of speed that any three of the floor's recorded "
               "repeats find;\n          a smaller one may pass. The worst here is %s.\n",
               NUMBER_LOSS(worst));
    if (derived)
        printf("\n* %s\n", derived);
}

/* After the speeds of a device. */
static void end_device(const struct live_at *at, const char *device)
{
    put_copies(at, device);
    put_replays(at, device);
    put_peaks(at, device);
    put_calls(at, device);
    put_relations(at, device);
    put_floors(at, device);
}

/* The head of a sweep, whose rows follow. Clause: bandwidth.sweep.unjudged. */
static void put_sweep(const struct live_at *at)
{
    printf("\nsweep     1 repeat of %s each, in GB/s; no speed is judged\n\n"
           "%-7s %11s %-27s %-*s %-5s %9s %9s %9s %9s  verdict\n",
           NUMBER_COUNT(at->record->header->samples, "sample"), "figure", "at", "kernel",
           path_width(at), "path", "where", "kernel", "memcpy", "copy", "cuBLAS");
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
static const char *library_why(const struct live_at *at, const struct line_sweep *point)
{
    const struct line *line;
    if (!point->library_verdict.is_there || point->library_verdict.verdict == VERDICT_PASS)
        return "";
    for (size_t next = 0; (line = next_of(at, RECORD_sweep, point->subject.device, &next)) != NULL;)
        if (strcmp(LINE_AS(sweep, line)->library, point->library) == 0)
            return "";
    return point->library;
}

static void put_point(const struct live_at *at, const struct line_sweep *it)
{
    printf("%-7s %11" PRIu64 " %-27s %-*s %-5s %9.4g", it->figure, it->at, it->subject.kernel,
           path_width(at), it->subject.path, it->shaped.regime, spread_of(it->gbps).median);
    put_other(it->memcpy_gbps, it->memcpy_verdict);
    put_other(it->copy_gbps, it->copy_verdict);
    put_other(it->library_gbps, it->library_verdict);
    printf("  ");
    put_verdict(it->result.verdict, it->result.note, "", library_why(at, it));
}

/* Kinds that have a table after the speeds. */
static bool has_table(enum record_kind kind)
{
    static const enum record_kind kinds[] = {RECORD_ceiling, RECORD_peak, RECORD_latency,
                                             RECORD_relation};
    for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; index++)
        if (kinds[index] == kind)
            return true;
    return false;
}

/* A line that is measured but in no table here, in the words of failure_text. */
static void put_any(const struct line *line)
{
    const struct line_view view = line_view(line);
    char text[FAILURE_TEXT_BYTES];
    failure_text(line, text);
    printf("%s: %s%s%s\n", text, view.has_verdict ? verdict_name(view.verdict) : "",
           view.note[0] ? ": " : "", view.note);
}

/* True if what was measured of the device before is to be ended: it has, and no sweep of it has
 * begun. */
static bool is_open(const struct live_at *at)
{
    return at->measured_device[0] && at->measured_kind != RECORD_sweep;
}

static void text_line(const struct live_at *at, const struct line *line)
{
    const struct line_device *device = LINE_AS(device, line);
    const struct line_bench *speed = LINE_AS(bench, line);
    const struct line_sweep *point = LINE_AS(sweep, line);
    const char *label = line_view(line).device;
    const bool is_measured = line_kind(line->kind).is_measured,
               is_other = is_measured && strcmp(at->measured_device, label) != 0;
    if (device)
        put_device(device);
    if (device && at->record->kinds[RECORD_device].count + 1 == at->record->header->devices.count)
        put_plan(at);
    if (is_open(at) && (is_other || point))
        end_device(at, at->measured_device);
    if (is_other)
        put_head(at, label);
    if (point && (is_other || at->measured_kind != RECORD_sweep))
        put_sweep(at);
    if (speed)
        put_speed(at, speed);
    else if (point)
        put_point(at, point);
    else if (is_measured && !has_table(line->kind))
        put_any(line);
}

/* The selected kernels without a speed. */
static void put_unmeasured(const struct live_at *at, const struct line_summary *summary)
{
    const bool is_one = at->record->header->devices.count == 1;
    for (size_t index = 0; index < summary->unmeasured.count; index++) {
        const struct line_unmeasured *it = &summary->unmeasured.each[index];
        printf("%s%-8s  %s: %s%s%s\n", index ? "" : "\n",
               verdict_name(it->declined ? VERDICT_DECLINED : VERDICT_SKIP), it->kernel, it->note,
               is_one ? "" : ", on ", is_one ? "" : it->device);
    }
}

static void text_end(const struct live_at *at, const struct line_summary *summary)
{
    uint64_t counts[VERDICT_COUNT];
    line_counts(&summary->counts, counts);
    if (is_open(at))
        end_device(at, at->measured_device);
    put_unmeasured(at, summary);
    printf("\n");
    live_print_phases(summary);
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (counts[verdict])
            printf("%" PRIu64 " %s  ", counts[verdict], verdict_name((enum verdict)verdict));
    /* A verdict of the whole that no count shows. */
    const bool is_counted = summary->verdict == VERDICT_PASS || counts[summary->verdict] > 0 ||
                            (summary->verdict == VERDICT_FAIL && verdict_failures(counts) > 0);
    printf("in %.1f s%s%s%s%s%s\n", summary->seconds, summary->reason[0] ? ": " : "",
           is_counted ? "" : verdict_name(summary->verdict), is_counted ? "" : ", ",
           summary->reason, live_is_emulated(at) ? "; no GPU was measured" : "");
}

static void tap_line_of(const struct live_at *at, const struct line *line)
{
    const struct line_device *device = LINE_AS(device, line);
    const struct line_peak *peak = LINE_AS(peak, line);
    if (device)
        printf("# %s: %s\n", device->label, device->name);
    if (peak && peak->sensors_note[0] && at->measured_kind != RECORD_peak)
        printf("# no sensors: %s\n", peak->sensors_note);
    if (line_kind(line->kind).is_measured &&
        (line->kind != RECORD_ceiling || is_wrong(LINE_AS(ceiling, line))))
        live_tap_measured(line);
}

static void tap_end(const struct live_at *at, const struct line_summary *summary)
{
    (void)at;
    for (size_t index = 0; index < summary->unmeasured.count; index++)
        tap_line(VERDICT_SKIP, summary->unmeasured.each[index].kernel,
                 summary->unmeasured.each[index].note);
}

const struct live_stream live_bench[] = {[FORMAT_TEXT] = {.line = text_line, .end = text_end},
                                         [FORMAT_TAP] = {.line = tap_line_of, .end = tap_end}};
