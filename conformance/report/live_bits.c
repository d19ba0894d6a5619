/* A run of kernels while it goes, as text and as TAP (live_stream.h): what is checked and where,
 * each failure as it is found and once more when it was tried again, a table, and the verdict as
 * the last line. Clauses: runner.coverage.reported, report.failure.alike. */
#include "conformance/report/live_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/model/path.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/coverage.h"
#include "conformance/report/failure.h"
#include "conformance/report/terminal.h"

/* The lines of one finding: kernel, case, clause, place, expected, got, others, note, replay. */
static void put_finding(FILE *file, const struct line_finding *finding)
{
    char subject[FAILURE_TEXT_BYTES];
    failure_subject(&finding->subject, subject);
    failure_pair(file, "kernel", subject);
    failure_report(file, finding, failure_pair);
    failure_pair(file, "replay", finding->replay);
}

/* One that was tried again: how often it failed, and the smallest case. */
static void put_reduced(FILE *file, const struct line_reduced *reduced)
{
    static const struct line_fault none = {
        .clause = "", .place = "", .note = "", .operand = "", .expected = "", .got = ""};
    const struct line_finding smallest = {.subject = reduced->subject,
                                          .case_text = reduced->reduced,
                                          .fault = reduced->fault ? *reduced->fault : none,
                                          .replay = reduced->replay,
                                          .after = reduced->after};
    failure_report_reduced(file, reduced, failure_pair);
    put_finding(file, &smallest);
    failure_pair(file, "kept", reduced->kept);
}

/* The verdict of a finding that was tried again. */
static enum verdict verdict_of(const struct live_at *at, const struct line_reduced *reduced)
{
    const struct loaded_lines *lines = &at->record->kinds[RECORD_finding];
    for (size_t index = 0; index < lines->count && !reduced->verdict.is_there; index++) {
        const struct line_finding *it = LINE_AS(finding, lines->each[index]);
        if (line_is_of_subject(&it->subject, &reduced->subject) &&
            strcmp(it->case_text, reduced->from) == 0)
            return it->finding;
    }
    return reduced->verdict.is_there ? reduced->verdict.verdict : VERDICT_FAIL;
}

static void show_finding(const struct live_at *at, const struct line *line)
{
    const struct line_finding *finding = LINE_AS(finding, line);
    const struct line_reduced *reduced = LINE_AS(reduced, line);
    struct written written;
    char indented[8];
    snprintf(indented, sizeof indented, "%s  ", at->prefix);
    printf("%s%s\n", at->prefix[0] ? at->prefix : "\n",
           verdict_name(finding ? finding->finding : verdict_of(at, reduced)));
    written_open(&written);
    if (finding)
        put_finding(written.file, finding);
    else
        put_reduced(written.file, reduced);
    char *text = written_close(&written);
    text_prefixed(stdout, indented, text);
    free(text);
}

/* The coverage of each device: one line, which a terminal gets broken at 80 columns. */
static void put_coverage(const struct live_at *at)
{
    const struct loaded_record *record = at->record;
    const struct loaded_lines *bits = &record->kinds[RECORD_bits];
    char text[COVERAGE_WORDS_BYTES], words[COVERAGE_WORDS_BYTES + 64];
    for (size_t index = 0; index < record->header->devices.count; index++) {
        const char *device = record->header->devices.each[index];
        size_t first = 0;
        const struct line *line = loaded_next(&record->kinds[RECORD_coverage], device, &first);
        if (!loaded_device(record, device) || !line ||
            !coverage_words(LINE_AS(coverage, line), bits->each, bits->count, text))
            continue;
        snprintf(words, sizeof words, "%.60s: %s", device, text);
        if (at->prefix[0])
            printf("%scoverage  %s\n", at->prefix, words);
        else
            escape_row(stdout, "coverage", words);
    }
}

static void put_plan(const struct live_at *at)
{
    const struct line_header *header = at->record->header;
    const uint64_t cases = header->cases_planned;
    char words[512];
    if (cases == 1)
        printf("plan      one case, assay %s\n", header->assay);
    else if (strcmp(header->command, "replay") == 0)
        printf("plan      %s, in sequence, in one worker, assay %s\n", NUMBER_COUNT(cases, "case"),
               header->assay);
    else {
        snprintf(words, sizeof words, "%s (%s of the corpus, tier %s), seed %" PRIu64 ", assay %s",
                 NUMBER_COUNT(cases, "case"), NUMBER_WHOLE(header->cases_corpus), header->tier,
                 header->seed, header->assay);
        escape_row(stdout, "plan", words);
    }
    terminal_shard(stdout, "", at->record);
}

static void text_begin(const struct live_at *at)
{
    const struct line_header *header = at->record->header;
    char paths[PATH_NAMES_BYTES], words[PATH_NAMES_BYTES + 256];
    escape_row(stdout, "device", header->devices_chosen);
    live_print_cleared(at, "checks");
    put_plan(at);
    if (!live_is_emulated(at))
        return;
    snprintf(words, sizeof words,
             "no GPU: neither the code paths %s nor generated programs are checked%s",
             path_choices(", ", paths),
             header->toolkit[0] ? "" : "; this build has no CUDA code: no toolkit was found");
    escape_row(stdout, "note", words);
}

/* Each device; of one that never opened, why its first kernel has no verdict. */
static void put_devices(const struct live_at *at)
{
    const struct line_header *header = at->record->header;
    for (size_t index = 0; index < header->devices.count; index++) {
        const char *label = header->devices.each[index];
        const struct line_device *device = loaded_device(at->record, label);
        size_t first = 0;
        const struct line_bits *row =
            loaded_next_bits(&at->record->kinds[RECORD_bits], label, &first);
        if (device)
            terminal_device(stdout, device, header->libcuda_version);
        else
            printf("%-9s %s\n", label, row && row->reason[0] ? row->reason : "not opened");
    }
}

/* "36 of 116 checks of 64 cases failed, in 0.8 s": the checks alone would be read as failures. */
static void put_verdict(const struct live_at *at, const struct line_summary *summary,
                        const uint64_t counts[VERDICT_COUNT], uint64_t checks)
{
    const uint64_t failed = verdict_failures(counts);
    char compiled[SESSION_COMPILED_BYTES];
    printf("\n%s  ", verdict_name(summary->verdict));
    if (failed > 0)
        printf("%s of ", NUMBER_WHOLE(failed));
    printf("%s of %s %sin %.1f s%s%s%s%s\n", NUMBER_COUNT(checks, "check"),
           NUMBER_COUNT(summary->cases_done, "case"), failed > 0 ? "failed, " : "",
           summary->seconds, summary->reason[0] ? ": " : "", summary->reason,
           live_is_emulated(at) ? "; no GPU was checked" : "",
           session_compiled_text(summary->compiled, summary->compiled_cached.count, compiled));
}

static void text_end(const struct live_at *at, const struct line_summary *summary)
{
    uint64_t counts[VERDICT_COUNT], checks = 0;
    line_counts(&summary->counts, counts);
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        checks += verdict_was_due((enum verdict)verdict) ? counts[verdict] : 0;
    printf("\n");
    put_devices(at);
    terminal_rows(stdout, &at->record->kinds[RECORD_bits], NULL);
    if (at->unshown > 0)
        printf("\nonly in the record (-o): %s\n", NUMBER_COUNT(at->unshown, "more finding"));
    if (summary->untried)
        printf("\nnot tried again: %s, as others were\n",
               NUMBER_COUNT(summary->untried, "more failure"));
    printf("\n");
    live_print_phases(summary);
    printf("rate      %s checks a second\n",
           NUMBER_WHOLE((uint64_t)((double)checks / summary->seconds)));
    printf("\n");
    put_coverage(at);
    put_verdict(at, summary, counts, checks);
}

/* Flat TAP: one line a kernel and path. */

static void tap_begin(const struct live_at *at)
{
    const struct line_header *header = at->record->header;
    printf("# device: %s\n# plan: %s, seed %" PRIu64 "\n", header->devices_chosen,
           NUMBER_COUNT(header->cases_planned, "case"), header->seed);
    terminal_shard(stdout, at->prefix, at->record);
    live_print_cleared(at, "checks");
}

static void tap_end(const struct live_at *at, const struct line_summary *summary)
{
    const struct loaded_lines *bits = &at->record->kinds[RECORD_bits];
    (void)summary;
    for (size_t index = 0; index < bits->count; index++) {
        const struct line_bits *row = LINE_AS(bits, bits->each[index]);
        char what[320];
        snprintf(what, sizeof what,
                 "%.64s %.16s %.31s: %" PRIu64 " passed, %" PRIu64 " declined, %" PRIu64 " empty",
                 row->subject.kernel, row->subject.device, row->subject.path, row->counts.passed,
                 row->counts.declined, row->counts.empty);
        tap_line(row->verdict, what, failure_row(row));
    }
    put_coverage(at);
}

const struct live_stream live_bits[] = {
    [FORMAT_TEXT] = {.begin = text_begin, .finding = show_finding, .end = text_end},
    [FORMAT_TAP] = {.begin = tap_begin, .finding = show_finding, .end = tap_end}};
