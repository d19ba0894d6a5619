/* A document as one JSON object (reporter.h). Clauses: gate.output.formats, report.json.object. */
#include "conformance/report/reporter.h"

#include "conformance/base/meaning.h"
#include "conformance/report/failure.h"

static json_t *parts_json(const struct document *document)
{
    json_t *parts = json_array();
    for (size_t at = 0; at < document->part_count; at++) {
        const struct document_part *it = &document->parts[at];
        json_array_append_new(
            parts, json_pack("{s:o, s:s, s:o, s:o, s:o?}", "part", value_of_text(it->name),
                             "verdict", verdict_name(it->verdict), "words",
                             value_of_text(it->words), "why", value_of_text(it->note), "record",
                             it->record ? value_of_text(it->record->path) : NULL));
    }
    return parts;
}

/* Names that repeat have the values in an array. */
static json_t *pairs_json(const struct document_finding *finding)
{
    json_t *pairs = json_object();
    for (size_t at = 0; at < finding->pair_count; at++) {
        const struct document_pair *it = &finding->pairs[at];
        json_t *before = json_object_get(pairs, it->name);
        if (before == NULL)
            json_object_set_new(pairs, it->name, value_of_text(it->text));
        else if (json_is_array(before))
            json_array_append_new(before, value_of_text(it->text));
        else
            json_object_set_new(pairs, it->name,
                                json_pack("[O, o]", before, value_of_text(it->text)));
    }
    return pairs;
}

static json_t *findings_json(const struct document *document)
{
    json_t *findings = json_array();
    for (size_t at = 0; at < document->finding_count; at++) {
        const struct document_finding *it = &document->findings[at];
        json_array_append_new(
            findings,
            json_pack(
                "{s:s, s:s, s:s, s:o, s:o, s:o?, s:o, s:o?, s:o?}", "verdict",
                verdict_name(it->verdict), "severity", finding_severity_words[it->advice.severity],
                "action", action_words[it->advice.action], "what", value_of_text(it->what), "how",
                value_of_text(it->how), "check", it->check ? value_of_text(it->check->name) : NULL,
                "says", pairs_json(it), "replay", it->replay[0] ? value_of_text(it->replay) : NULL,
                "smallest", it->smallest[0] ? value_of_text(it->smallest) : NULL));
    }
    return findings;
}

/* The number of checks of each verdict. */
static json_t *checks_json(const struct document *document)
{
    uint64_t counts[VERDICT_COUNT] = {0};
    json_t *checks = json_object();
    for (size_t at = 0; at < document->check_count; at++)
        counts[document->checks[at].verdict]++;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (counts[verdict] > 0)
            json_object_set_new(checks, verdict_name((enum verdict)verdict),
                                json_integer((json_int_t)counts[verdict]));
    return checks;
}

static bool is_known_present(const struct line *line)
{
    const struct line_known *known = LINE_AS(known, line);
    return known && known->present;
}

/* The lines of the records that are taken, as they are there. */
static json_t *lines_json(const struct document *document, bool (*takes)(const struct line *line))
{
    const struct loaded *loaded = document->loaded;
    json_t *all = json_array();
    for (size_t at = 0; at < loaded->count * LOADED_KIND_COUNT; at++) {
        const struct loaded_lines *it =
            &loaded->records[at / LOADED_KIND_COUNT].kinds[at % LOADED_KIND_COUNT];
        for (size_t index = 0; index < it->count; index++)
            if (takes(it->each[index]))
                json_array_append_new(all, line_object(it->each[index]));
    }
    return all;
}

static json_t *devices_json(const struct document *document)
{
    json_t *devices = json_array();
    for (size_t at = 0; at < document->device_count; at++)
        json_array_append_new(devices, line_object(&document->devices[at]->line));
    return devices;
}

static void end(struct report *report, const struct document *document)
{
    const struct line *header = document->header ? &document->header->line : NULL;
    json_t *comparisons = json_array();
    if (document->changes)
        json_array_append_new(comparisons, json_loads(document->changes, 0, NULL));
    json_t *root = json_pack(
        "{s:s, s:i, s:s, s:i, s:o, s:o, s:o, s:o, s:o?, s:i, s:o?, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:o}",
        "report", "assay", "version", 1, "verdict", verdict_name(document->verdict), "exit_status",
        (int)meaning_of(document->verdict)->exit_status, "why", value_of_text(document->reason),
        "seconds", value_of_number(document->seconds), "command", value_of_text(document->command),
        "host", value_of_text(document->host), "baseline",
        document->baseline[0] ? value_of_text(document->baseline) : NULL, "gpus",
        (int)document->gpu_count, "header", header ? line_object(header) : NULL, "devices",
        devices_json(document), "parts", parts_json(document), "checks", checks_json(document),
        "findings", findings_json(document), "failures", lines_json(document, failure_fails),
        "comparisons", comparisons, "known", lines_json(document, is_known_present));
    json_dumpf(root, report->file, VALUE_WRITTEN);
    fputc('\n', report->file);
    json_decref(root);
}

const struct reporter reporter_json = {.name = "json", .end = end};
