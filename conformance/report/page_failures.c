/* Every failure with what it takes to run it again. Clauses: report.failure.told,
 * report.html.causes, report.failure.replay, report.size.bounded. */
#include "conformance/base/number.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/page_html.h"

#include <string.h>

#include "conformance/base/escape.h"
#include "conformance/report/failure_programs.h"
#include "conformance/report/assessment.h"

static void put_command(FILE *file, const char *name, const char *command)
{
    if (command[0])
        escape_markup(file, "<p class=\"quiet\">%s</p><pre>%s</pre>\n", name, command);
}

static void put_title(FILE *file, const char *verdict, const char *kernel, const char *path,
                      const char *device)
{
    escape_markup(file,
                  "<article class=\"finding\"><h3><span class=\"verdict %s\">%s</span> "
                  "%s%s%s on %s</h3>\n<div class=\"scroll\"><table class=\"pairs\"><tbody>\n",
                  verdict, verdict, kernel, path[0] ? " through " : "", path, device);
}

static void put_reduced(FILE *file, const json_t *reduced)
{
    if (reduced == NULL)
        return;
    failure_report_reduced(file, reduced, page_pair);
    page_pair(file, "smallest case", field_reduced_reduced(reduced));
}

static void put_finding(FILE *file, const struct loaded_record *record, const json_t *finding)
{
    const json_t *reduced = failure_reduced(record, finding);
    put_title(file, value_text(raw_finding_finding(finding)), field_subject_kernel(finding),
              field_subject_path(finding), field_subject_device(finding));
    failure_report(file, finding, page_pair);
    put_reduced(file, reduced);
    fputs("</tbody></table></div>\n", file);
    put_command(file, "run it again", field_finding_replay(finding));
    if (reduced)
        put_command(file, "run the smallest again", field_reduced_replay(reduced));
    fputs("</article>\n", file);
}

/* "speed of matmul/tiled", "time of launch". */
static const char *measured_name(int kind, const json_t *line, char ret_text[FAILURE_TEXT_BYTES])
{
    const char *kernel = field_subject_kernel(line), *call = field_latency_call(line);
    snprintf(ret_text, FAILURE_TEXT_BYTES, "%s of %.200s", loaded_sorts[kind].noun,
             kernel[0] ? kernel
             : call[0] ? call
                       : "copies");
    return ret_text;
}

static size_t put_measured(FILE *file, const struct loaded_record *record)
{
    char number[NUMBER_COUNT_BYTES];
    enum { SHOWN_MAX = 100 };
    size_t count = 0;
    for (int kind = 0; kind < LOADED_KIND_COUNT; kind++) {
        const struct loaded_lines *lines = &record->kinds[kind];
        for (size_t index = 0; loaded_sorts[kind].is_measured && index < lines->count; index++) {
            const json_t *line = lines->lines[index];
            char text[FAILURE_TEXT_BYTES], name[FAILURE_TEXT_BYTES];
            if (!failure_is_measured(line) || count++ >= SHOWN_MAX)
                continue;
            failure_measured((enum loaded_kind)kind, line, text);
            enum verdict verdict = field_result_verdict(line); /* a copy's, where it passed */
            verdict = verdict_is_failure(verdict) ? verdict : VERDICT_FAIL;
            put_title(file, verdict_name(verdict), measured_name(kind, line, name),
                      field_subject_path(line), field_subject_device(line));
            page_pair(file, "measured", text);
            page_pair(file, "case", field_shaped_case(line));
            page_pair(file, "clause", field_result_clause(line));
            page_pair(file, "note", field_result_note(line));
            page_pair(file, "floor from", field_limit_from(field_bench_floor(line)));
            page_pair(file, "budget from", field_budget_from(field_codegen_budget(line)));
            fputs("</tbody></table></div>\n", file);
            put_command(file, "measure it again", field_bench_replay(line));
            fputs("</article>\n", file);
        }
    }
    if (count > SHOWN_MAX)
        fprintf(file, "<p>Only in the record: %s of what was measured.</p>\n",
                number_count(count - SHOWN_MAX, "more failure", number));
    return count;
}

static size_t put_programs(FILE *file, const struct loaded_record *record)
{
    enum { SHOWN_MAX = 100 };
    const struct loaded_lines *programs = &record->kinds[LOADED_PROGRAM];
    char number[NUMBER_COUNT_BYTES];
    size_t count = 0;
    for (size_t index = 0; index < programs->count; index++) {
        const json_t *line = programs->lines[index];
        if (!failure_program_is_shown(programs, index) || count++ >= SHOWN_MAX)
            continue;
        put_title(file, value_text(raw_program_verdict(line)), "a generated program",
                  field_subject_path(line), field_subject_device(line));
        failure_program(file, programs, index, page_pair);
        fputs("</tbody></table></div>\n</article>\n", file);
    }
    if (count > SHOWN_MAX)
        fprintf(file, "<p>Only in the record: %s.</p>\n",
                number_count(count - SHOWN_MAX, "more miscompile", number));
    return count;
}

/* Known miscompiles that came to a failure: where the version is held to be right, or --strict. */
static size_t put_known(FILE *file, const struct loaded_record *record)
{
    const struct loaded_lines *known = &record->kinds[LOADED_KNOWN];
    char text[FAILURE_TEXT_BYTES];
    size_t count = 0;
    for (size_t index = 0; index < known->count; index++) {
        const json_t *line = known->lines[index];
        if (!verdict_is_failure(field_known_verdict(line)))
            continue;
        count++;
        failure_known(line, text);
        put_title(file, value_text(raw_known_verdict(line)), "a known miscompile",
                  field_subject_path(line), field_subject_device(line));
        page_pair(file, "what", text);
        page_pair(file, "clause", field_known_clause(line));
        page_pair(file, "program", field_known_program(line));
        page_pair(file, "public", field_known_reference(line));
        fputs("</tbody></table></div>\n</article>\n", file);
    }
    return count;
}

/* Errors, skipped and undecided checks: the first of them, a line each. */
static void put_doubts(FILE *file, const struct loaded_lines *doubts)
{
    if (doubts->count == 0)
        return;
    fprintf(file, "<h3>Checks without a verdict: %zu</h3>\n<ul>\n",
            doubts->count + doubts->left_out);
    for (size_t index = 0; index < doubts->count; index++) {
        const json_t *line = doubts->lines[index];
        const char *note = field_result_note(line);
        escape_markup(file, "<li>%s %s, %s%s%s</li>\n", value_text(raw_finding_finding(line)),
                      field_subject_kernel(line), field_shaped_case(line), note[0] ? ": " : "",
                      note);
    }
    fputs("</ul>\n", file);
}

/* The causes on the first screen: the first failure of each of a few subjects. */
enum { CAUSES_MAX = 4 };
struct causes {
    FILE *file;
    size_t count;
    char subjects[CAUSES_MAX][FAILURE_TEXT_BYTES];
};

/* `what` failed: a line, unless it has one. */
static void put_cause(struct causes *causes, const char *what, const char *how, const char *clause)
{
    for (size_t index = 0; index < causes->count; index++)
        if (strcmp(what, causes->subjects[index]) == 0)
            return;
    if (causes->count == CAUSES_MAX)
        return;
    fputs(causes->count == 0 ? "<ul class=\"causes\">\n" : "", causes->file);
    snprintf(causes->subjects[causes->count++], FAILURE_TEXT_BYTES, "%s", what);
    escape_markup(causes->file, "<li>%s%s%s%s%s</li>\n", what, how[0] ? ": " : "", how,
                  clause[0] ? ", clause " : "", clause);
}

static void put_record_causes(struct causes *causes, const struct loaded_record *record)
{
    const struct loaded_lines *findings = &record->kinds[LOADED_FINDING];
    const struct loaded_lines *programs = &record->kinds[LOADED_PROGRAM];
    const struct loaded_lines *known = &record->kinds[LOADED_KNOWN];
    char what[FAILURE_TEXT_BYTES], how[FAILURE_TEXT_BYTES];
    for (size_t index = 0; index < findings->count; index++) {
        const json_t *line = findings->lines[index];
        failure_subject(line, what);
        failure_place(line, how);
        put_cause(causes, what, how[0] ? how : value_text(raw_finding_finding(line)),
                  field_result_clause(line));
    }
    for (size_t index = 0; index < programs->count; index++) {
        const json_t *line = programs->lines[index];
        snprintf(what, sizeof what, "a generated program through %.64s on %.32s",
                 field_subject_path(line), field_subject_device(line));
        if (failure_program_is_shown(programs, index))
            put_cause(causes, what, field_program_pattern(line), field_program_clause(line));
    }
    for (size_t index = 0; index < known->count; index++) {
        if (!verdict_is_failure(field_known_verdict(known->lines[index])))
            continue;
        failure_known(known->lines[index], what);
        put_cause(causes, what, "", field_known_clause(known->lines[index]));
    }
    for (int kind = 0; kind < LOADED_KIND_COUNT; kind++) {
        const struct loaded_lines *lines = &record->kinds[kind];
        for (size_t index = 0; loaded_sorts[kind].is_measured && index < lines->count; index++) {
            if (!failure_is_measured(lines->lines[index]))
                continue;
            failure_measured((enum loaded_kind)kind, lines->lines[index], what);
            put_cause(causes, what, "", field_result_clause(lines->lines[index]));
        }
    }
}

void page_causes(FILE *file, const struct loaded *loaded)
{
    struct causes causes = {.file = file};
    for (size_t index = 0; index < loaded->count; index++)
        put_record_causes(&causes, &loaded->records[index]);
    fputs(causes.count > 0 ? "</ul>\n<p><a href=\"#failures\">All failures</a></p>" : "", file);
}

void page_failures(FILE *file, const struct loaded *loaded)
{
    struct assessment assessment;
    char number[NUMBER_COUNT_BYTES];
    size_t count = 0;
    fputs("<section id=\"failures\"><h2>Failures</h2>\n", file);
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        const struct loaded_lines *findings = &record->kinds[LOADED_FINDING];
        for (size_t line = 0; line < findings->count; line++)
            put_finding(file, record, findings->lines[line]);
        if (findings->left_out > 0)
            escape_markup(file, "<p>Only in %s: %s.</p>\n", record->path,
                          number_count(findings->left_out, "more failure", number));
        count += findings->count + put_measured(file, record);
        count += put_programs(file, record);
        count += put_known(file, record);
        put_doubts(file, &record->kinds[LOADED_DOUBT]);
    }
    assess_records(loaded, &assessment);
    if (count == 0 && verdict_is_failure(assessment.verdict))
        fputs("<p>Something failed, and no record says what.</p>\n", file);
    else if (count == 0)
        fprintf(file, "<p>No check failed, crashed or timed out%s.</p>\n",
                loaded_complete(loaded) ? "" : " before the run was cut short");
    fputs("</section>\n", file);
}
