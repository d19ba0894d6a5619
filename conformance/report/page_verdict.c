/* The verdict of a page, large, with its stack and its causes, and every failure (page.h). */
#include "conformance/report/page.h"

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
static void begin_finding(FILE *file, const struct document_finding *it)
{
    const struct line_view view = line_view(it->line);
    const struct line_latency *call = LINE_AS(latency, it->line);
    const char *noun = line_kind(it->line->kind).noun, *verdict = verdict_name(it->verdict);
    const bool is_said = it->sort == DOCUMENT_MEASURED || it->sort == DOCUMENT_KNOWN;
    escape_markup(file,
                  "<article class=\"finding\"><h3><span class=\"verdict %s\">%s</span> "
                  "%s%s%s%s%s on %s</h3>\n<div class=\"scroll\"><table class=\"pairs\"><tbody>\n",
                  verdict, verdict, noun ? noun : "", noun ? " of " : "",
                  it->sort == DOCUMENT_MISCOMPILE ? "a generated program"
                  : it->sort == DOCUMENT_KNOWN    ? "a known miscompile"
                  : view.kernel[0]                ? view.kernel
                  : call                          ? call->call
                                                  : "copies",
                  view.path[0] ? " through " : "", view.path, view.device);
    page_pair(file, noun ? "measured" : "what", is_said ? it->what : "");
}

static void put_finding(FILE *file, const struct document_finding *it)
{
    begin_finding(file, it);
    for (size_t at = 0; at < it->pair_count; at++)
        page_pair(file, it->pairs[at].name, it->pairs[at].text);
    fputs("</tbody></table></div>\n", file);
    if (it->sort != DOCUMENT_MISCOMPILE) /* it has the command among its pairs */
        put_command(file, it->sort == DOCUMENT_FAILURE ? "run it again" : "measure it again",
                    it->replay);
    put_command(file, "run the smallest again", it->smallest);
    fputs("</article>\n", file);
}

static void put_findings(FILE *file, const struct document_part *part)
{
    enum { SHOWN_MAX = 100 };
    char more[NUMBER_COUNT_BYTES];
    for (size_t at = 0; at < part->finding_count; at++)
        if (part->findings[at].sort != DOCUMENT_UNDECIDED && part->findings[at].place < SHOWN_MAX)
            put_finding(file, &part->findings[at]);
    for (int sort = 0; sort < DOCUMENT_UNDECIDED; sort++)
        if (document_more(part, (enum document_sort)sort, SHOWN_MAX, more)[0])
            escape_markup(file, "<p>Only in %s: %s.</p>\n", part->record->path, more);
}

/* Errors, skipped and undecided checks: the first of them, a line each. */
static void put_undecided(FILE *file, const struct document_part *part)
{
    if (part->sorts[DOCUMENT_UNDECIDED] == 0)
        return;
    fprintf(file, "<h3>Checks without a verdict: %zu</h3>\n<ul>\n",
            part->sorts[DOCUMENT_UNDECIDED]);
    for (size_t at = 0; at < part->finding_count; at++) {
        const struct line_finding *line = LINE_AS(finding, part->findings[at].line);
        if (part->findings[at].sort == DOCUMENT_UNDECIDED)
            escape_markup(file, "<li>%s %s, %s%s%s</li>\n",
                          verdict_name(part->findings[at].verdict), line->subject.kernel,
                          line->case_text, line->fault.note[0] ? ": " : "", line->fault.note);
    }
    fputs("</ul>\n", file);
}

/* "78 failures": as many as the verdict's reason says. Those of a known miscompile are not among
 * them, and programs that fail alike are described once. */
static void put_failure_count(FILE *file, const struct document *document)
{
    uint64_t known = 0, programs = 0, alike = 0;
    for (size_t index = 0; index < document->part_count; index++) {
        const struct document_part *part = &document->parts[index];
        const struct loaded_record *record = part->record;
        known += record && record->summary ? part->sorts[DOCUMENT_KNOWN] : 0;
        alike += part->sorts[DOCUMENT_MISCOMPILE];
        for (size_t at = 0; record && at < record->kinds[RECORD_program].count; at++)
            programs += failure_fails(record->kinds[RECORD_program].each[at]);
    }
    if (document->failures + known == 0)
        return;
    fprintf(file, "<p>%s", NUMBER_COUNT(document->failures, "failure"));
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
static void page_replay(FILE *file, const struct document *document)
{
    const struct loaded *loaded = document->loaded;
    for (size_t at = 0; at < document->finding_count; at++) {
        const struct document_finding *it = &document->findings[at];
        if (it->replay[0] == 0 || it->sort == DOCUMENT_UNDECIDED)
            continue;
        put_command(file, "run the first failure again", it->replay);
        return;
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

/* True if an earlier failure is of the same subject. */
static bool is_said(const struct document *document, size_t index)
{
    for (size_t before = 0; before < index; before++)
        if (document->findings[before].sort != DOCUMENT_UNDECIDED &&
            strcmp(document->findings[before].what, document->findings[index].what) == 0)
            return true;
    return false;
}

/* The causes on the first screen: the first failure of each of a few subjects. */
static void page_causes(FILE *file, const struct document *document)
{
    enum { CAUSES_MAX = 4 };
    size_t said = 0;
    for (size_t at = 0; at < document->finding_count && said < CAUSES_MAX; at++) {
        const struct document_finding *it = &document->findings[at];
        const char *clause = line_view(it->line).clause;
        if (it->sort == DOCUMENT_UNDECIDED || is_said(document, at))
            continue;
        fputs(said++ == 0 ? "<ul class=\"causes\">\n" : "", file);
        escape_markup(file, "<li>%s%s%s%s%s</li>\n", it->what, it->how[0] ? ": " : "", it->how,
                      clause[0] ? ", clause " : "", clause);
    }
    if (said > 0)
        fputs("</ul>\n<p><a href=\"#failures\">All failures</a></p>\n", file);
}

void page_failures(FILE *file, const struct document *document)
{
    size_t count = 0;
    fputs("<section id=\"failures\"><h2>Failures</h2>\n", file);
    put_failure_count(file, document);
    for (size_t index = 0; index < document->part_count; index++) {
        put_findings(file, &document->parts[index]);
        put_undecided(file, &document->parts[index]);
        for (int sort = 0; sort < DOCUMENT_UNDECIDED; sort++)
            count += document->parts[index].sorts[sort];
    }
    if (count == 0 && verdict_is_failure(document->verdict) && !has_failed_record(document->loaded))
        escape_markup(file, "<p>No check failed. The verdict is that of a comparison: %s.</p>\n",
                      document->reason);
    else if (count == 0 && verdict_is_failure(document->verdict))
        fputs("<p>Something failed, and no record says what.</p>\n", file);
    else if (count == 0)
        fprintf(file, "<p>No check failed, crashed or timed out%s.</p>\n",
                loaded_complete(document->loaded) ? "" : " before the run was cut short");
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

void page_verdict(FILE *file, const struct document *document)
{
    const struct loaded *loaded = document->loaded;
    const char *word = verdict_name(document->verdict);
    fprintf(file, "<section id=\"verdict\"><div class=\"outcome %s\"><strong>%s</strong>", word,
            word);
    if (document->reason[0])
        escape_markup(file, "<p>%s</p>", document->reason);
    if (!document->has_gpu)
        fputs("<p>No GPU was checked.</p>", file);
    page_replay(file, document);
    put_facts(file, loaded);
    page_causes(file, document);
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
