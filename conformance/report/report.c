/* Findings in words (report.h). */
#include "conformance/report/report.h"
#include "conformance/record/record_fields.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/escape.h"
#include "conformance/bits/outcome.h"
#include "conformance/bits/run_lines.h"
#include "conformance/report/failure.h"
#include "conformance/base/number.h"

void report_pair(FILE *file, const char *name, const char *text)
{
    if (text[0] == 0)
        return;
    fprintf(file, "%-9s ", name);
    escape_line(file, text, ESCAPE_LETTERS_MAX);
    fputc('\n', file);
}

void report_prefixed(FILE *file, const char *prefix, const char *text)
{
    for (size_t bytes; *text; text += bytes + (text[bytes] == '\n')) {
        bytes = strcspn(text, "\n");
        fprintf(file, "%s%.*s\n", prefix, (int)bytes, text);
    }
}

/* Writes the lines that a record's line gives, each after the prefix. Takes over `line`. */
static void write_lines(FILE *file, const char *prefix, json_t *line,
                        void (*put)(FILE *file, const json_t *line))
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    if (memory)
        put(memory, line);
    if (memory == NULL || fclose(memory) != 0 || line == NULL)
        fprintf(file, "%sno memory to print it\n", prefix);
    else
        report_prefixed(file, prefix, text);
    free(text);
    json_decref(line);
}

static void put_finding(FILE *file, const json_t *line)
{
    char text[FAILURE_TEXT_BYTES];
    failure_subject(line, text);
    report_pair(file, "kernel", text);
    failure_report(file, line, report_pair);
    report_pair(file, "replay", field_finding_replay(line));
}

static void put_reduced(FILE *file, const json_t *line)
{
    failure_report_reduced(file, line, report_pair);
}

void report_finding_lines(FILE *file, const char *prefix, const struct run *run,
                          const struct run_finding *it)
{
    write_lines(file, prefix, record_finding(run, it), put_finding);
}

void report_reduced_lines(FILE *file, const char *prefix, const struct run *run,
                          const struct run_finding *it)
{
    struct run_finding smallest = *it;
    smallest.test_case = it->reduced.smallest;
    smallest.finding = it->reduced.finding;
    write_lines(file, prefix, record_reduced(run, it), put_reduced);
    report_finding_lines(file, prefix, run, &smallest);
    if (it->corpus_file[0])
        fprintf(file, "%skept      %s\n", prefix, it->corpus_file);
}

void report_rows(FILE *file, const struct run *run, report_row_taker *take)
{
    for (int index = 0; index < subject_count(run->session->device_count); index++)
        if (session_has(run->session, subject_at(index)))
            take(file, run, subject_at(index));
}

void report_layers(FILE *file, const char *prefix, const struct run *run)
{
    char name[CATALOG_NAME_BYTES], layer[LAYER_BYTES];
    for (int device = 0; device < run->session->device_count; device++) {
        for (int id = 0; id < catalog_count(); id++) {
            const struct subject subject = {.device = (uint16_t)device, .kernel = (uint16_t)id};
            if (run->session->plan.selected[id] && run_layer(run, subject, layer)[0])
                fprintf(file, "%slayer     %s on %s: %s\n", prefix, catalog_name(id, name),
                        run->session->devices[device].label, layer);
        }
    }
}

void report_coverage(FILE *file, const char *prefix, const struct run *run, int device)
{
    char text[COVERAGE_WORDS_BYTES];
    const struct coverage coverage = coverage_of_run(run, device);
    coverage_words(&coverage, text);
    if (run->session->devices[device].opened)
        fprintf(file, "%scoverage  %s: %s%s\n", prefix, coverage.device,
                run->resume ? "since it was resumed " : "", text);
}
