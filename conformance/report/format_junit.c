/* A document as JUnit XML (reporter.h): a suite for each part, with a case for each check, and at
 * last one of the verdicts. Its schema is spec/junit.xsd, which is inside those of Jenkins
 * (junit-10.xsd of its xunit plugin) and Ant. Clauses: report.junit.valid, report.junit.verdict. */
#include "conformance/report/reporter.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/meaning.h"
#include "conformance/report/failure.h"

static const char *const elements[JUNIT_COUNT] = {
    [JUNIT_FAILURE] = "failure", [JUNIT_ERROR] = "error", [JUNIT_SKIPPED] = "skipped"};

/* A suite while it is written: its counts come before its cases. */
struct suite {
    struct written cases;
    size_t count, elements[JUNIT_COUNT];
};

/* What a finding says, a pair a line. */
static void put_finding(FILE *file, const struct document_finding *it)
{
    escape_markup(file, "%s%s%s\n", it->what, it->how[0] ? ": " : "", it->how);
    for (size_t at = 0; at < it->pair_count; at++)
        escape_markup(file, "%s: %s\n", it->pairs[at].name, it->pairs[at].text);
    if (it->replay[0] && it->sort != DOCUMENT_MISCOMPILE)
        escape_markup(file, "replay: %s\n", it->replay);
    if (it->smallest[0])
        escape_markup(file, "smallest: %s\n", it->smallest);
    escape_markup(file, "severity: %s, action: %s\n", finding_severity_words[it->advice.severity],
                  action_words[it->advice.action]);
}

/* Begins a case. One that does not pass is open then, for text, until end_case(). */
static bool begin_case(struct suite *suite, const char *class_name, const char *name,
                       enum junit element, enum verdict verdict, const char *message)
{
    FILE *file = suite->cases.file;
    suite->count++;
    suite->elements[element]++;
    escape_markup(file, "    <testcase name=\"%s\" classname=\"%s\" time=\"0.000\"", name,
                  class_name);
    if (element == JUNIT_PASSES) {
        fputs("/>\n", file);
        return false;
    }
    escape_markup(file, ">\n      <%s message=\"%s\"", elements[element], message);
    if (element != JUNIT_SKIPPED)
        escape_markup(file, " type=\"%s\"", verdict_name(verdict));
    fputs(">", file);
    return true;
}

static void end_case(struct suite *suite, enum junit element)
{
    fprintf(suite->cases.file, "</%s>\n    </testcase>\n", elements[element]);
}

static void add_check(struct suite *suite, const struct document_part *part,
                      const struct document_check *check)
{
    const enum junit element = meaning_of(check->verdict)->junit_check;
    const struct document_finding *first = NULL;
    char class_name[160];
    for (size_t at = 0; at < part->finding_count && first == NULL; at++)
        first = part->findings[at].check == check ? &part->findings[at] : NULL;
    snprintf(class_name, sizeof class_name, "assay.%.40s%s%.40s.%s", part->name,
             check->device[0] ? "." : "", check->device,
             check->line ? line_kind(check->line->kind).name : "check");
    if (!begin_case(suite, class_name, check->name, element, check->verdict,
                    check->note[0] ? check->note
                    : first        ? first->what
                                   : verdict_name(check->verdict)))
        return;
    for (size_t at = 0; at < part->finding_count; at++)
        if (part->findings[at].check == check)
            put_finding(suite->cases.file, &part->findings[at]);
    end_case(suite, element);
}

/* Findings whose row a record that was cut short lacks, and what only the record has. */
static void add_rest(struct suite *suite, const struct document_part *part)
{
    char class_name[80], more[NUMBER_COUNT_BYTES];
    snprintf(class_name, sizeof class_name, "assay.%.40s.finding", part->name);
    for (size_t at = 0; at < part->finding_count; at++) {
        const struct document_finding *it = &part->findings[at];
        const enum junit element = meaning_of(it->verdict)->junit_check;
        size_t before = 0;
        char name[FAILURE_TEXT_BYTES + 32];
        if (it->check)
            continue;
        for (size_t other = 0; other < at; other++)
            before += strcmp(part->findings[other].what, it->what) == 0;
        snprintf(name, sizeof name, before ? "%.480s#%zu" : "%.480s", it->what, before + 1);
        if (begin_case(suite, class_name, name, element, it->verdict, it->how)) {
            put_finding(suite->cases.file, it);
            end_case(suite, element);
        }
    }
    for (int sort = 0; sort < DOCUMENT_SORT_COUNT; sort++) {
        const enum verdict verdict = sort == DOCUMENT_UNDECIDED ? VERDICT_INCONCLUSIVE
                                     : sort == DOCUMENT_NOTE    ? VERDICT_PASS
                                                                : VERDICT_FAIL;
        const enum junit element = meaning_of(verdict)->junit_check;
        if (document_unlisted(part, (enum document_sort)sort, more)[0] &&
            begin_case(suite, class_name, more, element, verdict,
                       part->record ? "only in the record" : "not listed"))
            end_case(suite, element);
    }
}

/* Where and with what. */
static void put_properties(FILE *file, const struct loaded_record *record)
{
    static const char property[] = "      <property name=\"%s\" value=\"%s\"/>\n";
    const struct line_header *header = record->header;
    const char *const pairs[][2] = {{"record", record->path},
                                    {"assay", header->assay},
                                    {"commit", header->commit},
                                    {"toolkit", header->toolkit},
                                    {"tier", header->tier}};
    const struct loaded_lines *devices = &record->kinds[RECORD_device];
    fputs("    <properties>\n", file);
    for (size_t at = 0; at < sizeof pairs / sizeof pairs[0]; at++)
        escape_markup(file, pairs[at][1][0] ? property : "", pairs[at][0], pairs[at][1]);
    for (size_t at = 0; at < devices->count; at++) {
        const struct line_device *it = LINE_AS(device, devices->each[at]);
        char text[512];
        snprintf(text, sizeof text, "%.200s, %.80s, driver %.100s", it->name, it->uuid, it->driver);
        escape_markup(file, it->label[0] ? property : "", it->label, text);
    }
    fputs("    </properties>\n", file);
}

/* Writes a suite and its cases, and frees these. */
static void end_suite(FILE *file, struct suite *suite, const struct document *document,
                      const char *name, const struct loaded_record *record, size_t id)
{
    char started[32];
    struct tm tm;
    gmtime_r(&document->started, &tm);
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%S", &tm); /* without a zone: it is UTC */
    escape_markup(file, "  <testsuite name=\"assay.%s\" package=\"assay\" id=\"", name);
    fprintf(file, "%zu\" ", id);
    escape_markup(file, "hostname=\"%s\" timestamp=\"%s\" ",
                  document->host[0] ? document->host : "localhost", started);
    fprintf(file, "tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
            suite->count, suite->elements[JUNIT_FAILURE], suite->elements[JUNIT_ERROR],
            suite->elements[JUNIT_SKIPPED], record ? loaded_summary(record)->seconds : 0);
    if (record)
        put_properties(file, record);
    else
        fputs("    <properties/>\n", file);
    char *cases = written_close(&suite->cases);
    fputs(cases, file);
    free(cases);
    fputs("    <system-out/>\n    <system-err/>\n  </testsuite>\n", file);
}

/* The verdicts: of each part, and of the whole. */
static void add_verdict(struct suite *suite, const char *name, enum verdict verdict,
                        const char *reason)
{
    const enum junit element = meaning_of(verdict)->junit;
    if (begin_case(suite, "assay.verdict", name, element, verdict,
                   reason[0] ? reason : verdict_name(verdict)))
        end_case(suite, element);
}

/* "speed"; "speed#2" of the second file that has that part. */
static void add_part_verdict(struct suite *suite, const struct document *document, size_t index)
{
    const struct document_part *part = &document->parts[index];
    size_t before = 0;
    char name[80];
    for (size_t at = 0; at < index; at++)
        before += strcmp(document->parts[at].name, part->name) == 0;
    snprintf(name, sizeof name, before ? "%.40s#%zu" : "%.40s", part->name, before + 1);
    if (part->verdict != VERDICT_DECLINED)
        add_verdict(suite, name, part->verdict, part->note);
}

static void end(struct report *report, const struct document *document)
{
    FILE *file = report->file;
    size_t id = 0;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", file);
    for (size_t at = 0; at < document->part_count; at++) {
        const struct document_part *part = &document->parts[at];
        struct suite suite = {.count = 0};
        if (part->record == NULL && part->check_count + part->finding_count == 0)
            continue;
        written_open(&suite.cases);
        for (size_t index = 0; index < part->check_count; index++)
            add_check(&suite, part, &part->checks[index]);
        add_rest(&suite, part);
        end_suite(file, &suite, document, part->name, part->record, id++);
    }
    struct suite verdicts = {.count = 0};
    written_open(&verdicts.cases);
    for (size_t at = 0; at < document->part_count; at++)
        add_part_verdict(&verdicts, document, at);
    add_verdict(&verdicts, "whole", document->verdict, document->reason);
    end_suite(file, &verdicts, document, "verdict", NULL, id);
    fputs("</testsuites>\n", file);
}

const struct reporter reporter_junit = {.name = "junit", .end = end};
