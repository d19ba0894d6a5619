/* Reads records for a report (loaded.h). Clauses: report.text.hostile, report.size.bounded. */
#include "conformance/report/loaded.h"
#include "conformance/base/heap.h"
#include "conformance/record/record_fields.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/reason.h"
#include "conformance/model/device_info.h"
#include "conformance/record/line_scan.h"
#include "conformance/record/record.h"

/* Findings that are shown; INCONCLUSIVE ones. */
enum { FINDINGS_SHOWN_MAX = 100, INCONCLUSIVE_SHOWN_MAX = 20 };

/* Lines of a kind that are kept. */
static size_t most_of(int kind)
{
    return kind == LOADED_INCONCLUSIVE ? INCONCLUSIVE_SHOWN_MAX
                                       : line_kind((enum record_kind)kind).most;
}

/* The index of a device among those that were noted; their number if it is not there. */
static size_t find_device(const struct loaded_record *record, const char *label)
{
    size_t index = 0;
    while (index < record->device_count && strcmp(record->devices[index], label) != 0)
        index++;
    return index;
}

static void note_device(struct loaded_record *record, const char *label)
{
    if (label[0] == 0 || find_device(record, label) < record->device_count)
        return;
    if (record->device_count < LOADED_DEVICES_MAX)
        record->devices[record->device_count++] = label;
}

/* Notes the cases that finished on a device, which the header has named. */
static void finish_cases(struct loaded_record *record, const struct line_cases *line)
{
    const size_t device = find_device(record, line->device);
    for (size_t index = 0; device < record->device_count && index < line->finished.count; index++) {
        const struct range *it = &line->finished.items[index];
        if (it->last >= record->header->cases_planned)
            continue;
        record->cases += it->last - it->first + 1;
        ranges_add(&record->finished[device], it->first, it->last);
    }
}

/* Counts the verdicts of a line, of whatever kind. A program that failed as a known miscompile does
 * is no failure. Operations without a verdict are skipped or undecided as the programs of their
 * path are, whose line says which. */
static void count_verdicts(struct loaded_record *record, const struct line *line)
{
    const enum line_tally tally = line_kind(line->kind).tally;
    const struct line_reduced *reduced = LINE_AS(reduced, line);
    const struct line_program *program = LINE_AS(program, line);
    enum verdict verdicts[LINE_VERDICTS_MAX];
    const size_t count = tally ? line_verdicts(line, verdicts) : 0;
    uint64_t *findings = record->verdicts[LINE_FINDING];
    /* a TIMEOUT that did not come back (verdicts.timeout.again) */
    if (reduced && reduced->verdict.is_there && reduced->verdict.verdict == VERDICT_INCONCLUSIVE &&
        findings[VERDICT_TIMEOUT] > 0) {
        findings[VERDICT_TIMEOUT]--;
        findings[VERDICT_INCONCLUSIVE]++;
    }
    for (size_t index = 0; index < count; index++) {
        enum verdict verdict = verdicts[index] < VERDICT_COUNT ? verdicts[index] : VERDICT_ERROR;
        if (line->kind == RECORD_operations && verdict == VERDICT_INCONCLUSIVE)
            verdict = VERDICT_SKIP;
        const bool is_known = program ? program->known[0] != 0
                                      : line->kind == RECORD_known &&
                                            (verdict == VERDICT_PASS || verdict == VERDICT_SKIP);
        if (!is_known)
            record->verdicts[tally][verdict]++;
    }
    const struct line_bits *bits = LINE_AS(bits, line);
    uint64_t counts[VERDICT_COUNT] = {0};
    if (bits)
        line_counts(&bits->counts, counts);
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        record->verdicts[tally][verdict] += counts[verdict];
}

/* The next record begins. */
static struct loaded_record *begin_record(struct loaded *loaded, const char *path,
                                          const json_t *object)
{
    struct loaded_record *it = &loaded->records[loaded->count++];
    *it = (struct loaded_record){.path = path, .file = loaded->file_count - 1};
    it->header = LINE_AS(header, line_read(&it->zone, RECORD_header, object));
    for (size_t at = 0; at < it->header->devices.count; at++)
        note_device(it, it->header->devices.each[at]);
    return it;
}

/* Keeps a line of a kind that is shown, if it is among the first: findings are read again for that,
 * since there may be any number of them. The first failure of each kind goes before the others: a
 * thousand wrong bits of one kernel must not hide the crash of another. */
static void keep_line(struct loaded_record *record, const struct line *typed, const json_t *object)
{
    const struct line_finding *finding = LINE_AS(finding, typed);
    const bool is_inconclusive = finding && !verdict_is_failure(finding->finding);
    const int kept = is_inconclusive ? LOADED_INCONCLUSIVE : (int)typed->kind;
    struct loaded_lines *lines = &record->kinds[kept];
    size_t at = lines->count, before = 0;
    for (; kept == RECORD_finding && before < record->firsts; before++) {
        const struct line_finding *first = LINE_AS(finding, lines->each[before]);
        if (first->finding == finding->finding &&
            line_is_of_subject(&first->subject, &finding->subject))
            break;
    }
    if (kept == RECORD_finding && before == record->firsts && before < FINDINGS_SHOWN_MAX)
        at = record->firsts++;
    const bool is_full = lines->count == most_of(kept);
    lines->left_out += is_full;
    if (is_full && at == lines->count)
        return;
    typed = finding ? line_read(&record->zone, RECORD_finding, object) : typed;
    /* The text of a device that it names lives as long: what it pushes out is held. */
    HEAP_ROOM(lines->each, lines->held);
    memmove(lines->each + at + 1, lines->each + at, (lines->held++ - at) * sizeof *lines->each);
    lines->each[at] = typed;
    lines->count += !is_full;
    const struct line_device *device = LINE_AS(device, typed);
    note_device(record, device ? device->label : line_view(typed).device);
}

/* Takes a line of the record, but for its header and its end. */
static void take_line(struct loaded_record *record, const struct line *typed, const json_t *object)
{
    record->gate = typed->kind == RECORD_gate ? LINE_AS(gate, typed) : record->gate;
    record->summary = typed->kind == RECORD_summary ? LINE_AS(summary, typed) : record->summary;
    if (typed->kind == RECORD_cases)
        finish_cases(record, LINE_AS(cases, typed));
    if (most_of((int)typed->kind) > 0) {
        count_verdicts(record, typed);
        keep_line(record, typed, object);
    }
}

void loaded_line(void *context, const struct record_entry *entry)
{
    struct loaded_reader *reader = context;
    struct zone passing = {.blocks = NULL}; /* of a finding, which may be one of too many */
    if (entry->kind == RECORD_header) {
        reader->is_full = reader->loaded->count == LOADED_RECORDS_MAX;
        if (!reader->is_full)
            reader->record = begin_record(reader->loaded, reader->path, entry->object);
    }
    if (reader->is_full || entry->kind == RECORD_header)
        return;
    struct loaded_record *record = reader->record;
    if (entry->kind == RECORD_end) {
        *(record->gate ? &record->gate_has_end : &record->has_end) = true;
        return;
    }
    take_line(record,
              line_read(entry->kind == RECORD_finding ? &passing : &record->zone, entry->kind,
                        entry->object),
              entry->object);
    zone_free(&passing);
}

/* Takes a line that needs no parser. */
static bool scan_line(void *context, const char *text, size_t bytes)
{
    struct loaded_reader *reader = context;
    const struct line *typed =
        reader->is_full ? NULL : line_scan(&reader->record->zone, text, bytes);
    if (typed)
        take_line(reader->record, typed, NULL);
    return typed != NULL;
}

void loaded_settle(struct loaded_record *record)
{
    for (size_t device = 0; device < record->device_count; device++)
        ranges_settle(&record->finished[device]);
}

bool loaded_parse(struct loaded *loaded, const char *path, const char *text, size_t bytes,
                  struct reason *ret_reason)
{
    const size_t first = loaded->count;
    struct loaded_reader reader = {.loaded = loaded, .path = path};
    loaded->file_count++;
    const bool good =
        records_recall(path, text, bytes, scan_line, loaded_line, &reader, ret_reason);
    if (reader.is_full)
        return reason_set(ret_reason, REASON_INPUT, "%s: at most %d records are taken at once",
                          path, LOADED_RECORDS_MAX);
    for (size_t index = first, gate_end = first; index < loaded->count; index++) {
        if (index == gate_end)
            gate_end += loaded_gate_records(loaded, index);
        const struct loaded_record *last = &loaded->records[gate_end - 1];
        loaded->records[index].is_of_cut =
            (last->gate == NULL || !last->gate_has_end || last->gate->ended_early ||
             last->gate->verdict == VERDICT_ERROR) &&
            loaded_is_of_gate(last);
        loaded_settle(&loaded->records[index]);
    }
    return good;
}

bool loaded_add(struct loaded *loaded, const char *path, struct reason *ret_reason)
{
    return loaded_parse(loaded, path, NULL, 0, ret_reason);
}

void loaded_lend(const struct loaded *from, struct loaded *to)
{
    for (size_t index = 0; index < from->count && to->count < LOADED_RECORDS_MAX; index++) {
        to->records[to->count] = from->records[index];
        to->records[to->count++].file = to->file_count;
    }
    to->file_count++;
}

void loaded_return(const struct loaded *from, struct loaded *to)
{
    to->count -= from->count < to->count ? from->count : to->count;
    to->file_count--;
}

void loaded_close(struct loaded *loaded)
{
    free(loaded->comparison.same);
    free(loaded->comparison.other);
    for (size_t index = 0; index < loaded->count; index++) {
        struct loaded_record *record = &loaded->records[index];
        for (int kind = 0; kind < LOADED_KIND_COUNT; kind++)
            free(record->kinds[kind].each);
        for (size_t device = 0; device < LOADED_DEVICES_MAX; device++)
            ranges_free(&record->finished[device]);
        zone_free(&record->zone);
    }
    loaded->count = loaded->file_count = 0;
}

const struct line_summary *loaded_summary(const struct loaded_record *record)
{
    static const struct line_summary none = {
        .line = {RECORD_summary}, .verdict = VERDICT_COUNT, .reason = ""};
    return record->summary ? record->summary : &none;
}

struct shard loaded_shard(const struct loaded_record *record)
{
    const struct line_header *header = record->header;
    const bool is_shard =
        header->shard > 0 && header->shard <= header->shards && header->shards <= SHARDS_MAX;
    return is_shard ? (struct shard){.number = (uint32_t)header->shard,
                                     .count = (uint32_t)header->shards,
                                     .is_same = header->shard_same}
                    : (struct shard){.count = 0};
}

bool loaded_is_of_gate(const struct loaded_record *record)
{
    return record->header->parts.each != NULL;
}

bool loaded_has_part(const struct loaded_record *records, size_t count, const char *part)
{
    for (size_t index = 0; index < count; index++)
        if (strcmp(records[index].header->part, part) == 0)
            return true;
    return false;
}

size_t loaded_gate_records(const struct loaded *loaded, size_t first)
{
    const struct loaded_record *records = &loaded->records[first];
    size_t count = 1;
    while (first + count < loaded->count && records[count - 1].gate == NULL &&
           records[count].file == records->file && loaded_is_of_gate(records) &&
           loaded_is_of_gate(&records[count]) &&
           !loaded_has_part(records, count, records[count].header->part))
        count++;
    return count;
}

const struct line_device *loaded_device(const struct loaded_record *record, const char *label)
{
    const struct loaded_lines *devices = &record->kinds[RECORD_device];
    for (size_t index = 0; index < devices->count; index++)
        if (strcmp(LINE_AS(device, devices->each[index])->label, label) == 0)
            return LINE_AS(device, devices->each[index]);
    return NULL;
}

const char *loaded_device_name(const struct loaded_record *record, const char *label)
{
    const struct line_device *device = loaded_device(record, label);
    return device ? device->name : "";
}

const char *loaded_device_uuid(const struct loaded_record *record, const char *label)
{
    const struct line_device *device = loaded_device(record, label);
    return device ? device->uuid : "";
}

const struct line *loaded_next(const struct loaded_lines *lines, const char *device, size_t *at)
{
    while (*at < lines->count) {
        const struct line *line = lines->each[(*at)++];
        if (device == NULL || strcmp(line_view(line).device, device) == 0)
            return line;
    }
    return NULL;
}

const struct line_bits *loaded_next_bits(const struct loaded_lines *bits, const char *device,
                                         size_t *at)
{
    const struct line *line = loaded_next(bits, device, at);
    return line ? LINE_AS(bits, line) : NULL;
}

const char *loaded_ranges(const struct loaded_record *record, const struct line_bits *line)
{
    const struct loaded_lines *all = &record->kinds[RECORD_bits];
    const struct line_bits *it;
    for (size_t at = 0;
         line->ranges[0] == 0 && (it = loaded_next_bits(all, NULL, &at)) != NULL && it != line;)
        if (it->ranges[0] && strcmp(it->xxh3_128, line->xxh3_128) == 0)
            return it->ranges;
    return line->ranges;
}

bool loaded_is_of_cubin(const struct line_codegen *line)
{
    struct device_set id;
    return device_find(line->subject.device, &id) && id.kind == DEVICE_ARCHITECTURE;
}

double loaded_floor_gbps(const struct line_bench *line)
{
    const double fraction = spread_of(line->fraction_of_ceiling).median;
    return fraction > 0 ? line->floor->limit * spread_of(line->gbps).median / fraction : 0;
}

bool loaded_is_deep(const struct loaded_record *record)
{
    return strcmp(record->header->tier, "deep") == 0;
}

const char *loaded_measure(const struct loaded_record *record)
{
    for (int kind = 0; kind < RECORD_KIND_COUNT; kind++) {
        const struct line_kind it = line_kind((enum record_kind)kind);
        if (record->kinds[kind].count > 0 && it.tally && it.noun)
            return it.noun;
    }
    return "bits";
}

bool loaded_is_whole(const struct loaded_record *record)
{
    return record->summary && record->has_end;
}

bool loaded_complete(const struct loaded *loaded)
{
    for (size_t index = 0; index < loaded->count; index++)
        if (!loaded_is_whole(&loaded->records[index]))
            return false;
    return true;
}
