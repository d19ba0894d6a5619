/* A document as a health check's record of facebookresearch/gcm (reporter.h): gcm/schemas/
 * health_check/log.py at 02609763, whose results are those of Nagios. Clause: report.gcm.record. */
#include "conformance/report/reporter.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/meaning.h"

/* The line of format_line, without its newline. */
static json_t *message(const struct document *document)
{
    struct written written;
    written_open(&written);
    struct report report = {.file = written.file};
    reporters[FORMAT_LINE]->end(&report, document);
    char *text = written_close(&written);
    text[strcspn(text, "\n")] = 0;
    json_t *ret = value_of_text(text);
    free(text);
    return ret;
}

static void end(struct report *report, const struct document *document)
{
    const struct line_header *header = document->header;
    const char *job = header ? header->job : "", *cluster = header ? header->cluster : "";
    char check[64];
    snprintf(check, sizeof check, "assay %.50s", document->command);
    json_t *record = json_pack(
        "{s:o, s:n, s:o, s:o, s:s, s:s, s:i, s:o, s:I, s:I, s:I}", "node",
        value_of_text(document->host), "gpu_node_id", "cluster", value_of_text(cluster),
        "derived_cluster", value_of_text(cluster), "health_check", check, "type", "app", "result",
        meaning_of(document->verdict)->nagios, "_msg", message(document), "job_id",
        (json_int_t)strtoll(job, NULL, 10), "start_time", (json_int_t)document->started, "end_time",
        (json_int_t)document->started + (json_int_t)(document->seconds + 0.5));
    json_dumpf(record, report->file, VALUE_WRITTEN);
    fputc('\n', report->file);
    json_decref(record);
}

const struct reporter reporter_gcm = {.name = "gcm", .end = end};
