/* The page of a document of no records (page.h): a comparison, a merge, mutants. Clauses:
 * report.format.outcome, report.html.alone, report.html.phone. */
#include "conformance/report/page.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "conformance/base/text.h"
#include "conformance/report/chart.h"

enum { FINDINGS_MAX = 100, CHECKS_MAX = 4096 };

static void put_pair(FILE *file, const char *name, const char *text)
{
    if (text[0])
        escape_markup(file, "<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n", name, text);
}

static void put_verdict(FILE *file, const struct document *document)
{
    const char *word = verdict_name(document->verdict);
    char started[32] = "";
    struct tm tm;
    if (document->started) {
        gmtime_r(&document->started, &tm);
        strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", &tm);
    }
    fprintf(file, "<section id=\"verdict\"><div class=\"outcome %s\"><strong>%s</strong>", word,
            word);
    escape_markup(file, document->reason[0] ? "<p>%s</p>" : "", document->reason);
    fputs(document->has_gpu ? "" : "<p>No GPU was checked.</p>", file);
    fputs("\n<table class=\"pairs facts\"><tbody>\n", file);
    put_pair(file, "host", document->host);
    for (size_t at = 0; at < document->device_count; at++)
        put_pair(file, document->devices[at]->label, document->devices[at]->name);
    put_pair(file, "started", started);
    put_pair(file, "action", document->finding_count ? action_words[document->action] : "");
    fputs("</tbody></table></div></section>\n", file);
}

static void put_parts(FILE *file, const struct document *document)
{
    struct table table;
    table_open(&table, "part|verdict|outcome");
    for (size_t at = 0; at < document->part_count; at++)
        TABLE_TEXTS(&table, document->parts[at].name, verdict_name(document->parts[at].verdict),
                    document->parts[at].words);
    fputs("<section id=\"parts\"><h2>Parts</h2>\n", file);
    table_html(file, &table);
    table_close(&table);
    fputs("</section>\n", file);
}

static void put_finding(FILE *file, const struct document_part *part,
                        const struct document_finding *it)
{
    const char *verdict = verdict_name(it->verdict);
    escape_markup(file,
                  "<article class=\"finding\"><h3><span class=\"verdict %s\">%s</span> %s</h3>\n"
                  "<div class=\"scroll\"><table class=\"pairs\"><tbody>\n",
                  verdict, verdict, it->what);
    put_pair(file, "part", part->name);
    put_pair(file, "how", it->how);
    for (size_t at = 0; at < it->pair_count; at++)
        put_pair(file, it->pairs[at].name, it->pairs[at].text);
    put_pair(file, "replay", it->replay);
    put_pair(file, "smallest", it->smallest);
    put_pair(file, "severity", finding_severity_words[it->advice.severity]);
    put_pair(file, "action", action_words[it->advice.action]);
    fputs("</tbody></table></div></article>\n", file);
}

/* The first of each sort in each part, the failures of all parts first; a note is a line. */
static void put_findings(FILE *file, const struct document *document)
{
    char more[NUMBER_COUNT_BYTES];
    fputs("<section id=\"findings\"><h2>Findings</h2>\n", file);
    if (document->finding_count == 0)
        escape_markup(file, "<p>%s</p>\n",
                      document->verdict == VERDICT_PASS ? "Nothing." : document->reason);
    for (int sort = 0; sort < DOCUMENT_SORT_COUNT; sort++)
        for (size_t at = 0; at < document->part_count; at++) {
            const struct document_part *part = &document->parts[at];
            for (size_t index = 0; index < part->finding_count; index++) {
                const struct document_finding *it = &part->findings[index];
                if ((int)it->sort != sort || it->place >= FINDINGS_MAX)
                    continue;
                if (sort == DOCUMENT_NOTE)
                    escape_markup(file, "<p>%s%s%s</p>\n", it->what, it->how[0] ? ": " : "",
                                  it->how);
                else
                    put_finding(file, part, it);
            }
            if (document_more(part, (enum document_sort)sort, FINDINGS_MAX, more)[0])
                escape_markup(file, "<p>%s: and %s.</p>\n", part->name, more);
        }
    fputs("</section>\n", file);
}

static void put_checks(FILE *file, const struct document *document)
{
    for (size_t at = 0; at < document->part_count; at++) {
        const struct document_part *part = &document->parts[at];
        const size_t shown = part->check_count < CHECKS_MAX ? part->check_count : CHECKS_MAX;
        struct table table;
        if (shown == 0)
            continue;
        table_open(&table, "check|device|verdict|why");
        for (size_t index = 0; index < shown; index++)
            TABLE_TEXTS(&table, part->checks[index].name, part->checks[index].device,
                        verdict_name(part->checks[index].verdict), part->checks[index].note);
        escape_markup(file, "<section><h2>%s: %s</h2>\n", part->name,
                      NUMBER_COUNT(part->check_count, "check"));
        table_html(file, &table);
        table_close(&table);
        if (shown < part->check_count)
            escape_markup(file, "<p>And %s.</p>\n",
                          NUMBER_COUNT(part->check_count - shown, "more check"));
        fputs("</section>\n", file);
    }
}

void page_of_parts(FILE *file, const struct document *document)
{
    char title[64];
    snprintf(title, sizeof title, "assay %.40s", document->command);
    page_begin(file, verdict_name(document->verdict), title, "");
    escape_markup(file, "<h1>%s</h1>\n<main>\n", title);
    put_verdict(file, document);
    put_parts(file, document);
    put_findings(file, document);
    put_checks(file, document);
    fputs("</main>\n", file);
    page_end(file);
}
