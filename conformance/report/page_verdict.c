/* The verdict of a page, large, with its stack and its causes, and every failure (page_html.h). */
#include "conformance/report/page_html.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/record/record.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/assessment.h"
#include "conformance/report/failure.h"
#include "conformance/report/scope.h"

static void page_pair(FILE *file, const char *name, const char *text)
{
    if (text[0])
        escape_markup(file, "<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n", name, text);
}

/* Every failure with what it takes to run it again. Clauses: report.failure.told,
 * report.html.causes, report.failure.replay, report.size.bounded. */

static void put_command(FILE *file, const char *name, const char *command)
{
    if (command[0])
        escape_markup(file, "<p class=\"quiet\">%s</p><pre>%s</pre>\n", name, command);
}

/* "speed of matmul/tiled", "time of launch", "a known miscompile": what failed. */
static void begin_failure(FILE *file, const struct line *line, const char *verdict,
                          const char *text)
{
    const struct line_view view = line_view(line);
    const struct line_latency *call = LINE_AS(latency, line);
    const char *noun = line_kind(line->kind).noun;
    escape_markup(file,
                  "<article class=\"finding\"><h3><span class=\"verdict %s\">%s</span> "
                  "%s%s%s%s%s on %s</h3>\n<div class=\"scroll\"><table class=\"pairs\"><tbody>\n",
                  verdict, verdict, noun ? noun : "", noun ? " of " : "",
                  line->kind == RECORD_program ? "a generated program"
                  : line->kind == RECORD_known ? "a known miscompile"
                  : view.kernel[0]             ? view.kernel
                  : call                       ? call->call
                                               : "copies",
                  view.path[0] ? " through " : "", view.path, view.device);
    page_pair(file, noun ? "measured" : "what", text);
}

static void put_rest(FILE *file, const char *path, const char *words)
{
    escape_markup(file, "<p>Only in %s: %s.</p>\n", path, words);
}

static const struct failure_sink page_sink = {.most = 100,
                                              .replay = "run it again",
                                              .smallest = "run the smallest again",
                                              .measure = "measure it again",
                                              .begin = begin_failure,
                                              .pair = page_pair,
                                              .has_room = true,
                                              .command = put_command,
                                              .after_pairs = "</tbody></table></div>\n",
                                              .after = "</article>\n",
                                              .rest = put_rest};

/* Failures of all records: of their summaries, or of the lines of one that was cut short. */
static uint64_t count_failures(const struct loaded *loaded)
{
    uint64_t count = 0;
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        uint64_t counts[VERDICT_COUNT];
        line_counts(&loaded_summary(record)->counts, counts);
        for (int each = 0; each < VERDICT_COUNT; each++) {
            if (!verdict_is_failure((enum verdict)each))
                continue;
            count += record->summary ? counts[each]
                                     : record->verdicts[LINE_FINDING][each] +
                                           record->verdicts[LINE_MEASURED][each];
        }
    }
    return count;
}

/* "78 failures": as many as the verdict's reason says. Those of a known miscompile are not among
 * them, and programs that fail alike are described once. */
static void put_failure_count(FILE *file, const struct loaded *loaded)
{
    const uint64_t failures = count_failures(loaded);
    uint64_t known = 0, programs = 0, alike = 0;
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        for (size_t at = 0; at < record->kinds[RECORD_known].count; at++)
            known += record->summary && failure_is_shown(&record->kinds[RECORD_known], at);
        for (size_t at = 0; at < record->kinds[RECORD_program].count; at++) {
            const struct loaded_lines *lines = &record->kinds[RECORD_program];
            programs += failure_fails(lines->each[at]);
            alike += failure_is_shown(lines, at);
        }
    }
    if (failures + known == 0)
        return;
    fprintf(file, "<p>%s", NUMBER_COUNT(failures, "failure"));
    if (known)
        fprintf(file, ", and %s not as listed", NUMBER_COUNT(known, "known miscompile"));
    fputs(".", file);
    if (alike < programs)
        fprintf(file, " Programs that fail alike are described once: %s of %s.",
                NUMBER_WHOLE(alike), NUMBER_WHOLE(programs));
    fputs("</p>\n", file);
}

/* The command that runs the first failure again, on the first screen; or the one that shows what
 * differs from a gate's baseline. */
static void page_replay(FILE *file, const struct loaded *loaded)
{
    for (size_t index = 0; index < loaded->count * LOADED_KIND_COUNT; index++) {
        const int kind = (int)(index % LOADED_KIND_COUNT);
        const struct loaded_lines *lines = &loaded->records[index / LOADED_KIND_COUNT].kinds[kind];
        for (size_t at = 0; at < lines->count; at++) {
            const char *replay = line_view(lines->each[at]).replay;
            if (replay[0] == 0 || !failure_is_shown(lines, at))
                continue;
            put_command(file, "run the first failure again", replay);
            return;
        }
    }
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        char words[2][SHELL_WORD_BYTES], command[2 * SHELL_WORD_BYTES + 16];
        if (record->gate == NULL || record->gate->baseline[0] == 0 ||
            !verdict_is_failure(record->gate->verdict))
            continue;
        snprintf(command, sizeof command, "assay compare %s %s",
                 shell_word(record->gate->baseline, words[0]), shell_word(record->path, words[1]));
        put_command(file, "show what differs from the baseline", command);
        return;
    }
}

/* True if a record is a failure by itself, and not by being compared. */
static bool has_failed_record(const struct loaded *loaded)
{
    for (size_t index = 0; index < loaded->count; index++) {
        struct assessment one;
        assess_record(&loaded->records[index], &one);
        if (verdict_is_failure(one.verdict))
            return true;
    }
    return false;
}

/* The causes on the first screen: the first failure of each of a few subjects. */
static void page_causes(FILE *file, const struct loaded *loaded)
{
    enum { CAUSES_MAX = 4 };
    json_t *said = json_object();
    char what[FAILURE_TEXT_BYTES], how[FAILURE_TEXT_BYTES];
    for (size_t index = 0; index < loaded->count * LOADED_KIND_COUNT; index++) {
        const int kind = (int)(index % LOADED_KIND_COUNT);
        const struct loaded_record *record = &loaded->records[index / LOADED_KIND_COUNT];
        const struct loaded_lines *lines = &record->kinds[kind];
        for (size_t at = 0; at < lines->count && json_object_size(said) < CAUSES_MAX; at++) {
            const struct line *line = lines->each[at];
            const struct line_finding *finding = LINE_AS(finding, line);
            const struct line_program *program = LINE_AS(program, line);
            const struct line_reduced *reduced;
            if (!failure_is_shown(lines, at))
                continue;
            failure_text(line, what);
            how[0] = 0;
            if (finding) {
                failure_subject(&finding->subject, what);
                failure_place(finding, how);
                if (how[0] == 0)
                    snprintf(how, sizeof how, "%s",
                             verdict_name(failure_verdict(record, finding, &reduced)));
            } else if (program) {
                snprintf(what, sizeof what, "a generated program through %.64s on %.32s",
                         program->path, program->device);
                snprintf(how, sizeof how, "%.500s", program->pattern);
            }
            if (json_object_get(said, what))
                continue;
            const char *clause = line_view(line).clause;
            fputs(json_object_size(said) == 0 ? "<ul class=\"causes\">\n" : "", file);
            json_object_set_new_nocheck(said, what, json_true());
            escape_markup(file, "<li>%s%s%s%s%s</li>\n", what, how[0] ? ": " : "", how,
                          clause[0] ? ", clause " : "", clause);
        }
    }
    if (json_object_size(said) > 0)
        fputs("</ul>\n<p><a href=\"#failures\">All failures</a></p>\n", file);
    json_decref(said);
}

void page_failures(FILE *file, const struct loaded *loaded)
{
    struct assessment assessment;
    size_t count = 0;
    fputs("<section id=\"failures\"><h2>Failures</h2>\n", file);
    put_failure_count(file, loaded);
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        count += failure_write(file, record, &page_sink);
        const struct loaded_lines *inconclusive = &record->kinds[LOADED_INCONCLUSIVE];
        /* Errors, skipped and undecided checks: the first of them, a line each. */
        if (inconclusive->count > 0) {
            fprintf(file, "<h3>Checks without a verdict: %zu</h3>\n<ul>\n",
                    inconclusive->count + inconclusive->left_out);
            for (size_t at = 0; at < inconclusive->count; at++) {
                const struct line_finding *line = LINE_AS(finding, inconclusive->each[at]);
                escape_markup(file, "<li>%s %s, %s%s%s</li>\n",
                              line->finding < VERDICT_COUNT ? verdict_name(line->finding) : "",
                              line->subject.kernel, line->case_text, line->note[0] ? ": " : "",
                              line->note);
            }
            fputs("</ul>\n", file);
        }
    }
    assess_records(loaded, &assessment);
    if (count == 0 && verdict_is_failure(assessment.verdict) && !has_failed_record(loaded))
        escape_markup(file, "<p>No check failed. The verdict is that of a comparison: %s.</p>\n",
                      assessment.reason);
    else if (count == 0 && verdict_is_failure(assessment.verdict))
        fputs("<p>Something failed, and no record says what.</p>\n", file);
    else if (count == 0)
        fprintf(file, "<p>No check failed, crashed or timed out%s.</p>\n",
                loaded_complete(loaded) ? "" : " before the run was cut short");
    fputs("</section>\n", file);
}

/* The verdict, large, with its reason, and what was checked and what was not. Clauses:
 * report.verdict.worst, report.verdict.scope, report.verdict.no_gpu. */

/* A list of sentences. */
static void put_sentences(FILE *file, const struct loaded *loaded, const char *title,
                          scope_sentences *assess, const char *otherwise)
{
    char *text = scope_text(loaded, assess);
    fprintf(file, "<h3>%s</h3>\n", title);
    if (text == NULL || text[0] == 0)
        fprintf(file, "<p>%s</p>\n", otherwise);
    else
        fputs("<ul>\n", file);
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL && rest;)
        escape_markup(file, *rest ? "<li>%s</li>\n" : "<li>%s</li>\n</ul>\n", line);
    free(text);
}

/* The stack that the verdict is of: its devices with driver and toolkit, its hosts, and when it was
 * checked. Facts of several records are named once. Clause: report.html.first. */

static void put_fact(FILE *file, json_t *said, const char *name, const char *text)
{
    if (text[0] == 0 || json_object_get(said, text))
        return;
    json_object_set_new_nocheck(said, text, json_true());
    page_pair(file, name, text);
}

/* "2 x NVIDIA H200, driver 580.1, toolkit 13.0"; of one GPU also its UUID. */
static void put_devices(FILE *file, const struct loaded *loaded)
{
    const bool has_gpu = !assess_no_gpu(loaded);
    json_t *models = json_object(), *devices;
    const char *model;
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        const char *toolkit = record->header->toolkit;
        for (size_t line = 0; line < record->kinds[RECORD_device].count; line++) {
            const struct line_device *device =
                LINE_AS(device, record->kinds[RECORD_device].each[line]);
            const char *driver = device->driver, *uuid = device->uuid;
            char text[256];
            snprintf(text, sizeof text, "%.100s%s%.40s%s%.40s", device->name,
                     driver[0] ? ", driver " : "", driver, toolkit[0] ? ", toolkit " : "", toolkit);
            if (json_object_get(models, text) == NULL)
                json_object_set_new_nocheck(models, text, json_object());
            json_object_set_new_nocheck(json_object_get(models, text),
                                        uuid[0] ? uuid : device->label, json_true());
        }
    }
    json_object_foreach(models, model, devices) {
        const size_t count = json_object_size(devices);
        char text[512];
        if (count > 1)
            snprintf(text, sizeof text, "%zu \xc3\x97 %.256s", count, model);
        else
            snprintf(text, sizeof text, "%.256s%s%.64s", model, has_gpu ? ", " : "",
                     has_gpu ? json_object_iter_key(json_object_iter(devices)) : "");
        page_pair(file, has_gpu ? "GPU" : "device", text);
    }
    json_decref(models);
}

static void put_facts(FILE *file, const struct loaded *loaded)
{
    json_t *hosts = json_object(), *programs = json_object();
    const char *first = "", *last = "";
    fputs("<table class=\"pairs facts\"><tbody>\n", file);
    put_devices(file, loaded);
    for (size_t index = 0; index < loaded->count; index++) {
        const struct line_header *header = loaded->records[index].header;
        const char *started = header->started;
        const char *const facts[] = {header->host, header->cpu, header->hypervisor,
                                     header->container, header->os};
        static const char *const names[] = {"", "", "hypervisor ", "container ", ""};
        char host[512] = "";
        for (size_t fact = 0; fact < sizeof facts / sizeof facts[0]; fact++)
            if (facts[fact][0])
                text_join(host, sizeof host, ", ", "%s%.100s", names[fact], facts[fact]);
        put_fact(file, hosts, "host", host);
        first = first[0] == 0 || (started[0] && strcmp(started, first) < 0) ? started : first;
        last = strcmp(started, last) > 0 ? started : last;
    }
    char begun[128];
    snprintf(begun, sizeof begun, "%.40s%s%.40s", first, strcmp(first, last) == 0 ? "" : " to ",
             strcmp(first, last) == 0 ? "" : last);
    page_pair(file, "begun", begun);
    for (size_t index = 0; index < loaded->count; index++) {
        const struct line_header *header = loaded->records[index].header;
        char text[256];
        snprintf(text, sizeof text, "%.100s%s%.100s", header->assay,
                 header->commit[0] ? ", commit " : "", header->commit);
        put_fact(file, programs, "assay", text);
    }
    fputs("</tbody></table>\n", file);
    json_decref(hosts);
    json_decref(programs);
}

void page_verdict(FILE *file, const struct loaded *loaded)
{
    struct assessment assessment;
    assess_records(loaded, &assessment);
    const char *word = verdict_name(assessment.verdict);
    fprintf(file, "<section id=\"verdict\"><div class=\"outcome %s\"><strong>%s</strong>", word,
            word);
    if (assessment.reason[0])
        escape_markup(file, "<p>%s</p>", assessment.reason);
    if (assess_no_gpu(loaded))
        fputs("<p>No GPU was checked.</p>", file);
    page_replay(file, loaded);
    put_facts(file, loaded);
    page_causes(file, loaded);
    fputs("</div>\n", file);
    /* The records with their verdicts: a line for each file and, in a file of several (a gate's),
     * for each of its records. */
    const struct loaded_record *all = loaded->records;
    if (loaded->count != 1) {
        for (size_t at = 0; at < loaded->count; at++) {
            const bool begins = at == 0 || all[at].file != all[at - 1].file;
            const bool ends = at + 1 == loaded->count || all[at].file != all[at + 1].file;
            struct assessment one;
            assess_record(&all[at], &one);
            if (begins)
                escape_markup(file, "<p class=\"quiet\">%s</p>\n<ul>\n", all[at].path);
            escape_markup(file, "<li><span class=\"verdict %s\">%s</span> %s%s%s</li>\n",
                          verdict_name(one.verdict), verdict_name(one.verdict),
                          loaded_measure(&all[at]), one.reason[0] ? ": " : "", one.reason);
            fputs(ends ? "</ul>\n" : "", file);
        }
    }
    put_sentences(file, loaded, "Checked", scope_checked, "Nothing.");
    put_sentences(file, loaded, "Not checked", scope_unchecked,
                  "Nothing that this version can check.");
    struct written names;
    written_open(&names);
    const size_t count = scope_kernels(names.file, loaded);
    char *text = written_close(&names);
    if (count > 0)
        escape_markup(file,
                      "<details><summary>Kernels of this version not run: %s</summary><p>%s.</p>"
                      "</details>\n",
                      NUMBER_WHOLE(count), text);
    free(text);
    fputs("</section>\n", file);
}
