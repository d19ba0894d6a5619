/* Reads records for a report (dossier.h). Clauses: report.text.hostile, report.size.bounded. */
#include "conformance/report/dossier.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/record/record.h"

static const struct {
    const char *key;
    size_t most;
} kinds[DOSSIER_KIND_COUNT] = {
    [DOSSIER_DEVICE] = {"device", 64},      [DOSSIER_FINDING] = {"finding", 4096},
    [DOSSIER_DOUBT] = {"finding", 20},      [DOSSIER_REDUCED] = {"reduced", 100},
    [DOSSIER_BENCH] = {"bench", 4096},      [DOSSIER_CEILING] = {"ceiling", 4096},
    [DOSSIER_PEAK] = {"peak", 64},          [DOSSIER_LATENCY] = {"latency", 512},
    [DOSSIER_RELATION] = {"relation", 512}, [DOSSIER_SWEEP] = {"sweep", 4096},
};

enum { FINDINGS_TOLD_MAX = 100 };

struct reader {
    struct dossier *dossier;
    struct dossier_record *record;
};

static void note_device(struct dossier_record *record, const char *label)
{
    for (size_t index = 0; index < record->device_count; index++)
        if (strcmp(record->devices[index], label) == 0)
            return;
    if (label[0] && record->device_count < DOSSIER_DEVICES_MAX)
        record->devices[record->device_count++] = label;
}

/* Keeps a line, or the object under its key; the text of a device that it names lives as long. */
static void keep(struct reader *reader, enum dossier_kind kind, const json_t *line)
{
    struct dossier_lines *lines = &reader->record->kinds[kind];
    json_t *inner = json_object_get(line, kinds[kind].key);
    json_t *kept = json_is_object(inner) ? inner : (json_t *)line;
    if (lines->count == kinds[kind].most) {
        lines->left_out++;
        return;
    }
    if (lines->count % 16 == 0) {
        json_t **larger = realloc(lines->lines, (lines->count + 16) * sizeof *larger);
        reader->dossier->failed |= larger == NULL;
        if (larger == NULL)
            return;
        lines->lines = larger;
    }
    lines->lines[lines->count++] = json_incref(kept);
    lines->held = lines->count;
    note_device(reader->record, field_text(kept, kind == DOSSIER_DEVICE ? "label" : "device"));
}

static void count_ranges(struct dossier_record *record, const json_t *ranges)
{
    const json_t *range;
    size_t index;
    json_array_foreach(ranges, index, range)
    {
        json_int_t first = json_integer_value(json_array_get(range, 0));
        json_int_t last = json_integer_value(json_array_get(range, 1));
        if (first >= 0 && last >= first)
            record->cases += (uint64_t)(last - first) + 1;
    }
}

static void count_verdicts(struct dossier_record *record, enum dossier_kind kind,
                           const json_t *line)
{
    static const char *const keys[] = {"verdict", "memcpy_verdict", "copy_verdict"};
    if (kind == DOSSIER_FINDING) {
        enum verdict verdict = field_verdict(line, "finding");
        record->findings[verdict < VERDICT_COUNT ? verdict : VERDICT_ERROR]++;
        return;
    }
    const json_t *inner = json_object_get(line, kinds[kind].key);
    for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++) {
        if (json_object_get(inner, keys[index]) == NULL)
            continue;
        enum verdict verdict = field_verdict(inner, keys[index]);
        record->measured[verdict < VERDICT_COUNT ? verdict : VERDICT_ERROR]++;
    }
}

static void take_header(struct dossier_record *record, const json_t *line)
{
    const json_t *label;
    size_t index;
    record->header = json_incref((json_t *)line);
    json_array_foreach(json_object_get(line, "devices"), index, label)
    {
        if (json_is_string(label))
            note_device(record, json_string_value(label));
    }
}

static void take_line(void *context, const json_t *line)
{
    struct reader *reader = context;
    struct dossier_record *record = reader->record;
    json_t *summary = json_object_get(line, "summary");
    if (record->header == NULL) {
        take_header(record, line);
        return;
    }
    if (json_is_object(summary)) {
        json_decref(record->summary);
        record->summary = json_incref(summary);
        return;
    }
    for (int kind = 0; kind < DOSSIER_KIND_COUNT; kind++) {
        const json_t *value = json_object_get(line, kinds[kind].key);
        bool text = kind == DOSSIER_FINDING || kind == DOSSIER_REDUCED;
        if (text ? !json_is_string(value) : !json_is_object(value))
            continue;
        count_verdicts(record, (enum dossier_kind)kind, line);
        bool doubt =
            kind == DOSSIER_FINDING && !verdict_is_failure(field_verdict(line, kinds[kind].key));
        keep(reader, doubt ? DOSSIER_DOUBT : (enum dossier_kind)kind, line);
        return;
    }
    record->cases += json_is_string(json_object_get(line, "case"));
    count_ranges(record, json_object_get(line, "cases"));
}

static void note_rows(struct dossier_record *record)
{
    const json_t *row;
    size_t index;
    json_array_foreach(dossier_rows(record), index, row)
    {
        if (index < DOSSIER_ROWS_MAX)
            note_device(record, field_text(row, "device"));
    }
}

/* True where one of the first `count` lines is of the same kernel, path, device and verdict. */
static bool is_known(const struct dossier_lines *lines, size_t count, const json_t *line)
{
    static const char *const keys[] = {"kernel", "path", "device", "finding"};
    enum { KEYS = sizeof keys / sizeof keys[0] };
    for (size_t index = 0; index < count; index++) {
        size_t same = 0;
        while (same < KEYS && strcmp(field_text(lines->lines[index], keys[same]),
                                     field_text(line, keys[same])) == 0)
            same++;
        if (same == KEYS)
            return true;
    }
    return false;
}

/* Puts the first failure of each kind before the others, and tells of no more than a page takes:
 * a thousand wrong bits of one kernel must not hide the crash of another. */
static void choose_findings(struct dossier_lines *lines)
{
    size_t firsts = 0;
    for (size_t index = 0; index < lines->count && firsts < FINDINGS_TOLD_MAX; index++) {
        json_t *line = lines->lines[index];
        if (is_known(lines, firsts, line))
            continue;
        memmove(lines->lines + firsts + 1, lines->lines + firsts,
                (index - firsts) * sizeof(json_t *));
        lines->lines[firsts++] = line;
    }
    if (lines->count > FINDINGS_TOLD_MAX) {
        lines->left_out += lines->count - FINDINGS_TOLD_MAX;
        lines->count = FINDINGS_TOLD_MAX; /* the others are held: their devices' names are in use */
    }
}

static bool add(struct dossier *dossier, const char *path, const char *text, size_t bytes,
                char *why, size_t why_bytes)
{
    if (dossier->count == DOSSIER_RECORDS_MAX) {
        snprintf(why, why_bytes, "%s: a report takes %d records", path, DOSSIER_RECORDS_MAX);
        return false;
    }
    struct reader reader = {dossier, &dossier->records[dossier->count++]};
    *reader.record = (struct dossier_record){.path = path};
    if (!(text ? record_parse(path, text, bytes, take_line, &reader, why, why_bytes)
               : record_read(path, take_line, &reader, why, why_bytes)))
        return false;
    note_rows(reader.record);
    choose_findings(&reader.record->kinds[DOSSIER_FINDING]);
    if (dossier->failed)
        snprintf(why, why_bytes, "%s: no memory for its lines", path);
    return !dossier->failed;
}

bool dossier_add(struct dossier *dossier, const char *path, char *why, size_t why_bytes)
{
    return add(dossier, path, NULL, 0, why, why_bytes);
}

bool dossier_parse(struct dossier *dossier, const char *path, const char *text, size_t bytes,
                   char *why, size_t why_bytes)
{
    return add(dossier, path, text, bytes, why, why_bytes);
}

void dossier_close(struct dossier *dossier)
{
    for (size_t index = 0; index < dossier->count; index++) {
        struct dossier_record *record = &dossier->records[index];
        for (int kind = 0; kind < DOSSIER_KIND_COUNT; kind++) {
            for (size_t line = 0; line < record->kinds[kind].held; line++)
                json_decref(record->kinds[kind].lines[line]);
            free(record->kinds[kind].lines);
        }
        json_decref(record->header);
        json_decref(record->summary);
    }
    dossier->count = 0;
}

const json_t *dossier_device(const struct dossier_record *record, const char *label)
{
    const struct dossier_lines *devices = &record->kinds[DOSSIER_DEVICE];
    for (size_t index = 0; index < devices->count; index++)
        if (strcmp(field_text(devices->lines[index], "label"), label) == 0)
            return devices->lines[index];
    return NULL;
}

const json_t *dossier_rows(const struct dossier_record *record)
{
    const json_t *rows = json_object_get(record->summary, "rows");
    return json_is_array(rows) ? rows : NULL;
}

bool dossier_complete(const struct dossier *dossier)
{
    for (size_t index = 0; index < dossier->count; index++)
        if (dossier->records[index].summary == NULL)
            return false;
    return true;
}
