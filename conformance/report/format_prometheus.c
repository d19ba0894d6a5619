/* A document as gauges in Prometheus' text format (reporter.h), for the textfile collector: base
 * units, a HELP and a TYPE for each family, its samples together, no time stamps (the collector
 * refuses a file that has one). A figure is assay_KIND_FIELD, its unit in place of the field's, and
 * its keys are labels. Clauses: report.prometheus.lint, report.prometheus.verdict. */
#include "conformance/report/reporter.h"

#include <inttypes.h>
#include <string.h>

#include "conformance/base/meaning.h"

/* A unit of a figure: its word in a metric's name, the letters of a field's name that it replaces,
 * and its factor. A counted thing has no word. */
static const struct {
    const char *unit, *word, *replaces;
    double factor;
} units[] = {
    {"GB/s", "bytes_per_second", "gbps", 1e9},
    {"us", "seconds", "us", 1e-6},
    {"bytes", "bytes", "bytes", 1},
    {"times", "ratio", "ratio", 1},
    {"SMs", "", "", 1},
    {"programs", "", "", 1},
    {"operations", "", "", 1},
};
enum { UNITS = sizeof units / sizeof units[0] };

/* The kinds whose figures are gauges; machine code is not: it is the same until the next toolkit,
 * and a thousand series a GPU. The linter takes a segment "bits" for a unit. */
static const struct {
    enum record_kind kind;
    const char *name;
} kinds[] = {
    {RECORD_bits, "kernel"},          {RECORD_coverage, "coverage"}, {RECORD_programs, "generated"},
    {RECORD_operations, "operation"}, {RECORD_bench, "bench"},       {RECORD_sweep, "sweep"},
    {RECORD_ceiling, "ceiling"},      {RECORD_peak, "peak"},         {RECORD_latency, "latency"},
    {RECORD_relation, "relation"},
};

static void put_family(FILE *file, const char *name, const char *help)
{
    fprintf(file, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

/* name="text": letters that a reader would not see become '?'. */
static void put_label(FILE *file, const char **between, const char *name, const char *text)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + strlen(text);
    fprintf(file, "%s%s=\"", *between, name);
    *between = ",";
    while (at < end) {
        const unsigned char *first = at;
        const uint32_t code = utf8_next(&at, end);
        if (code == UTF8_BAD || utf8_is_hidden(code))
            fputc('?', file);
        else
            fprintf(file, "%s%.*s", code == '"' || code == '\\' ? "\\" : "", (int)(at - first),
                    (const char *)first);
    }
    fputc('"', file);
}

/* Which of several parts of one name it is. */
static void put_record(FILE *file, const char **between, const struct document *document,
                       size_t part)
{
    char number[24];
    size_t alike = 0;
    for (size_t at = 0; at < document->part_count; at++)
        alike += strcmp(document->parts[at].name, document->parts[part].name) == 0;
    snprintf(number, sizeof number, "%zu", part + 1);
    if (alike > 1)
        put_label(file, between, "record", number);
}

/* 1 for the verdict that it is, 0 for the others: an alert sees a change in either. NULL: of the
 * whole. */
static void put_verdicts(FILE *file, const struct document *document,
                         const struct document_part *part)
{
    static const enum verdict whole[] = {VERDICT_PASS, VERDICT_FAIL, VERDICT_INCONCLUSIVE,
                                         VERDICT_SKIP, VERDICT_ERROR};
    const enum verdict verdict = part ? part->verdict : document->verdict;
    for (size_t at = 0; at < sizeof whole / sizeof whole[0]; at++) {
        const char *between = "{";
        fputs(part ? "assay_part_verdict" : "assay_verdict", file);
        if (part) {
            put_record(file, &between, document, (size_t)(part - document->parts));
            put_label(file, &between, "part", part->name);
        }
        put_label(file, &between, "verdict", verdict_name(whole[at]));
        fprintf(file, "} %d\n", verdict_of_whole(verdict) == whole[at]);
    }
}

static void put_whole(FILE *file, const struct document *document)
{
    put_family(file, "assay_verdict", "The verdict: 1 for the one that it is.");
    put_verdicts(file, document, NULL);
    put_family(file, "assay_part_verdict", "The verdict of each part.");
    for (size_t at = 0; at < document->part_count; at++)
        put_verdicts(file, document, &document->parts[at]);
    put_family(file, "assay_exit_status", "The exit status of the command.");
    fprintf(file, "assay_exit_status %d\n", (int)meaning_of(document->verdict)->exit_status);
    if (document->started || document->loaded->count > 0) {
        put_family(file, "assay_started_timestamp_seconds", "When it began, in Unix seconds.");
        fprintf(file, "assay_started_timestamp_seconds %lld\n", (long long)document->started);
    }
    if (document->seconds > 0 || document->loaded->count > 0) {
        put_family(file, "assay_duration_seconds", "How long it took.");
        fprintf(file, "assay_duration_seconds %.9g\n", document->seconds);
    }
}

static void put_findings(FILE *file, const struct document *document)
{
    uint64_t counts[FINDING_SEVERITY_COUNT] = {0};
    for (size_t at = 0; at < document->finding_count; at++)
        counts[document->findings[at].advice.severity]++;
    put_family(file, "assay_findings", "Checks and measurements that did not pass.");
    for (int severity = 0; severity < FINDING_SEVERITY_COUNT; severity++)
        fprintf(file, "assay_findings{severity=\"%s\"} %" PRIu64 "\n",
                finding_severity_words[severity], counts[severity]);
    put_family(file, "assay_recommended_action", "The most that a finding asks for.");
    fprintf(file, "assay_recommended_action{action=\"%s\"} 1\n", action_words[document->action]);
}

static void put_devices(FILE *file, const struct document *document)
{
    if (document->device_count > 0)
        put_family(file, "assay_device_info", "The devices of the records.");
    for (size_t at = 0; at < document->device_count; at++) {
        const struct line_device *it = document->devices[at];
        const char *between = "{";
        fputs("assay_device_info", file);
        put_label(file, &between, "device", it->label);
        put_label(file, &between, "name", it->name);
        put_label(file, &between, "uuid", it->uuid);
        put_label(file, &between, "driver", it->driver);
        put_label(file, &between, "vbios", it->vbios);
        fputs("} 1\n", file);
    }
}

/* The checks of no record, such as the machines of a fleet, each with its verdict: those of records
 * have figures. */
static void put_checks(FILE *file, const struct document *document)
{
    bool is_begun = false;
    for (size_t at = 0; at < document->part_count; at++) {
        const struct document_part *part = &document->parts[at];
        for (size_t row = 0; row < part->check_count; row++) {
            const struct document_check *check = &part->checks[row];
            const char *between = "{";
            if (check->line)
                continue;
            if (!is_begun)
                put_family(file, "assay_check_verdict", "The verdict of each check.");
            is_begun = true;
            fputs("assay_check_verdict", file);
            put_record(file, &between, document, at);
            put_label(file, &between, "part", part->name);
            put_label(file, &between, "check", check->name);
            if (check->device[0])
                put_label(file, &between, "device", check->device);
            put_label(file, &between, "verdict", verdict_name(check->verdict));
            fputs("} 1\n", file);
        }
    }
}

/* The keys of a line; of one that has them in common with another, its number among those. */
static void put_keys(FILE *file, const struct document *document, size_t part,
                     const struct document_check *check)
{
    static const char *const subject[] = {"device", "path", "kernel"};
    const struct line_view view = line_view(check->line);
    const char *const values[] = {view.device, view.path, view.kernel};
    struct form_walk walk = form_walk(line_form(check->line));
    struct line_member member;
    const char *between = "{", *number = strrchr(check->name, '#');
    char words[LINE_WORDS_BYTES];
    put_record(file, &between, document, part);
    for (int at = 0; at < 3; at++)
        if (values[at][0])
            put_label(file, &between, subject[at], values[at]);
    while (line_next(&walk, check->line, &member)) {
        bool is_said = member.field->role != ROLE_KEY;
        for (int at = 0; at < 3; at++)
            is_said = is_said || strcmp(member.field->name, subject[at]) == 0;
        if (!is_said && line_words(&member, words, sizeof words)[0])
            put_label(file, &between, member.field->name, words);
    }
    if (number)
        put_label(file, &between, "number", number + 1);
    fputs("}", file);
}

/* "assay_bench_bytes_per_second", and what it is. */
static void begin_figure(FILE *file, const char *kind, const struct line_kind *noun,
                         const struct form_field *field, size_t unit, char ret_name[160])
{
    const size_t all = strlen(field->name), own = strlen(units[unit].replaces);
    const bool ends = all >= own && strcmp(field->name + all - own, units[unit].replaces) == 0;
    char help[256];
    snprintf(ret_name, 160, "assay_%s_%.*s%s%s", kind, (int)(all - (ends ? own : 0)), field->name,
             ends || units[unit].word[0] == 0 ? "" : "_", units[unit].word);
    snprintf(help, sizeof help, "%s: the figure %s of a record's lines %s%s.",
             noun->plural ? noun->plural : noun->noun, field->name, noun->name,
             field->better == BETTER_LOWER ? "; less is better" : "");
    put_family(file, ret_name, help);
}

/* Number `index` among the figures of a kind, of all records. */
static void put_figure(FILE *file, const struct document *document, size_t kind, size_t index)
{
    const struct line_kind noun = line_kind(kinds[kind].kind);
    char name[160] = "";
    for (size_t at = 0; at < document->part_count; at++) {
        const struct document_part *part = &document->parts[at];
        for (size_t row = 0; row < part->check_count; row++) {
            const struct line *line = part->checks[row].line;
            struct line_figure figures[LINE_FIGURES_MAX];
            size_t unit = 0;
            if (line == NULL || line->kind != kinds[kind].kind ||
                line_figures(line, figures) <= index)
                continue;
            while (unit < UNITS && strcmp(units[unit].unit, figures[index].field->unit) != 0)
                unit++;
            const double value = line_figure_value(&figures[index]);
            if (unit == UNITS || !figures[index].is_there || value <= 0)
                continue;
            if (name[0] == 0)
                begin_figure(file, kinds[kind].name, &noun, figures[index].field, unit, name);
            fputs(name, file);
            put_keys(file, document, at, &part->checks[row]);
            fprintf(file, " %.9g\n", value * units[unit].factor);
        }
    }
}

static void end(struct report *report, const struct document *document)
{
    put_whole(report->file, document);
    put_devices(report->file, document);
    put_findings(report->file, document);
    put_checks(report->file, document);
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
        for (size_t index = 0; index < LINE_FIGURES_MAX; index++)
            put_figure(report->file, document, kind, index);
}

const struct reporter reporter_prometheus = {.name = "prometheus", .end = end};
