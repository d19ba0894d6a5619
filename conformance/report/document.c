/* Records as a document (document.h). Clauses: report.format.checks, report.format.findings,
 * report.format.parts, report.failure.told, report.size.bounded. */
#include "conformance/report/document.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/model/device_info.h"
#include "conformance/report/failure.h"

/* A document while it is filled. Arrays grow; what points into them is set when they are whole. */
struct filling {
    struct document *ret;
    const struct loaded_record *record; /* of the part */
    struct document_pair *pairs;        /* of the finding */
    size_t pair_count;
    bool is_aside; /* the next pairs are */
    json_t *names; /* of the checks of the part: how many have each */
};

static const char *keep(struct filling *filling, const char *text)
{
    return zone_text(&filling->ret->zone, text);
}

/* A failure_put: what is not said has no pair. */
static void add_pair(void *context, const char *name, const char *text)
{
    struct filling *filling = context;
    if (text[0] == 0)
        return;
    HEAP_ROOM(filling->pairs, filling->pair_count);
    filling->pairs[filling->pair_count++] =
        (struct document_pair){keep(filling, name), keep(filling, text), filling->is_aside};
}

static void add_aside(struct filling *filling, const char *name, const char *text)
{
    filling->is_aside = true;
    add_pair(filling, name, text);
    filling->is_aside = false;
}

/* Checks. */

/* A kind of which every line is judged by itself; of the others, findings belong to such a line. */
static bool is_check(enum record_kind kind)
{
    const struct line_kind it = line_kind(kind);
    return it.tally == LINE_SUM || it.is_measured || kind == RECORD_known;
}

/* "matmul/tiled sass, k=32 dram", "known miscompile abs_s16 ptx", "launch". */
static void name_check(const struct line *line, char *ret, size_t bytes)
{
    const struct line_view view = line_view(line);
    const char *before = line_kind(line->kind).before;
    char keys[FAILURE_TEXT_BYTES];
    line_keys(line, keys, sizeof keys);
    if (view.kernel[0])
        snprintf(ret, bytes, "%s %s%s%s", view.kernel, view.path, keys[0] ? ", " : "", keys);
    else
        snprintf(ret, bytes, "%s%s%s%s", before ? before : "", keys, view.path[0] ? " " : "",
                 view.path);
}

/* How many checks of the part had that name before, of that kind and device. */
static size_t count_named(struct filling *filling, const struct line *line, const char *name)
{
    char key[2 * FAILURE_TEXT_BYTES + 128];
    snprintf(key, sizeof key, "%d %.64s %s", (int)line->kind, line_view(line).device, name);
    const json_int_t before = json_integer_value(json_object_get(filling->names, key));
    json_object_set_new_nocheck(filling->names, key, json_integer(before + 1));
    return (size_t)before;
}

static void add_check(struct filling *filling, const struct line *line)
{
    struct document *ret = filling->ret;
    const struct line_view view = line_view(line);
    const struct line_bits *bits = LINE_AS(bits, line);
    char name[2 * FAILURE_TEXT_BYTES];
    if (!view.has_verdict)
        return;
    name_check(line, name, sizeof name);
    const size_t before = count_named(filling, line, name);
    if (before > 0) /* the copies of two shapes with one footprint */
        text_join(name, sizeof name, "", "#%zu", before + 1);
    HEAP_ROOM(ret->checks, ret->check_count);
    const bool is_known = view.verdict < VERDICT_COUNT;
    const char *note = bits ? failure_row(bits) : view.note;
    ret->checks[ret->check_count++] =
        (struct document_check){.line = line,
                                .device = view.device,
                                .name = keep(filling, name),
                                .note = note[0] || is_known ? note : "it has no verdict",
                                .verdict = is_known ? view.verdict : VERDICT_ERROR};
}

/* Findings. */

/* What a measurement, or a known miscompile, says besides its text. */
static void add_measured(struct filling *filling, const struct line *line, const char *text)
{
    const struct line_view view = line_view(line);
    const struct line_bench *bench = LINE_AS(bench, line);
    const struct line_peak *peak = LINE_AS(peak, line);
    const struct line_codegen *code = LINE_AS(codegen, line);
    const struct line_known *known = LINE_AS(known, line);
    add_aside(filling, "case", view.case_text);
    add_pair(filling, "clause", view.clause);
    add_pair(filling, "note", strstr(text, view.note) ? "" : view.note); /* in the text already */
    add_aside(filling, "floor from", bench ? bench->floor->from : peak ? peak->floor->from : "");
    add_aside(filling, "budget from",
              code && code->budget.count ? filling->record->header->budgets : "");
    add_pair(filling, "program", known ? known->program : "");
    add_aside(filling, "public", known ? known->reference : "");
}

static enum document_sort sort_of(const struct line *line, bool is_failure)
{
    return !is_failure                         ? DOCUMENT_UNDECIDED
           : line->kind == RECORD_program      ? DOCUMENT_MISCOMPILE
           : line->kind == RECORD_known        ? DOCUMENT_KNOWN
           : line_kind(line->kind).is_measured ? DOCUMENT_MEASURED
                                               : DOCUMENT_FAILURE;
}

/* The subject of a finding, and where it shows. */
static void name_finding(const struct document_finding *it, const char *text, char *ret_what,
                         char *ret_how)
{
    const struct line_finding *finding = LINE_AS(finding, it->line);
    const struct line_program *program = LINE_AS(program, it->line);
    snprintf(ret_what, FAILURE_TEXT_BYTES, "%s", text);
    ret_how[0] = 0;
    if (finding) {
        failure_subject(&finding->subject, ret_what);
        failure_place(finding, ret_how);
        if (ret_how[0] == 0)
            snprintf(ret_how, FAILURE_TEXT_BYTES, "%s", verdict_name(it->verdict));
    } else if (program) {
        snprintf(ret_what, FAILURE_TEXT_BYTES, "a generated program through %.64s on %.32s",
                 program->path, program->device);
        snprintf(ret_how, FAILURE_TEXT_BYTES, "%.500s", program->pattern);
    }
}

static void add_finding(struct filling *filling, const struct loaded_lines *lines, size_t index,
                        bool is_failure)
{
    struct document *ret = filling->ret;
    struct document_part *part = &ret->parts[ret->part_count - 1];
    const struct line *line = lines->each[index];
    const struct line_finding *finding = LINE_AS(finding, line);
    const struct line_reduced *reduced = NULL;
    const struct line_view view = line_view(line);
    char text[FAILURE_TEXT_BYTES], what[FAILURE_TEXT_BYTES], how[FAILURE_TEXT_BYTES];
    struct document_finding it = {.line = line, .sort = sort_of(line, is_failure)};
    const enum verdict own =
        finding ? failure_verdict(filling->record, finding, &reduced) : view.verdict;
    /* a line of several verdicts, or of one that is none */
    if (own < VERDICT_COUNT && (finding || verdict_is_failure(own)))
        it.verdict = own;
    else
        it.verdict = is_failure ? VERDICT_FAIL : VERDICT_ERROR;
    failure_text(line, text);
    filling->pairs = NULL;
    filling->pair_count = 0;
    if (line->kind == RECORD_program) {
        failure_program(filling, lines, index, add_pair);
    } else if (finding) {
        failure_report(filling, finding, add_pair);
        if (reduced)
            failure_report_reduced(filling, reduced, add_pair);
        add_aside(filling, "smallest case", reduced ? reduced->reduced : "");
    } else {
        add_measured(filling, line, text);
    }
    name_finding(&it, text, what, how);
    it.what = keep(filling, what);
    it.how = keep(filling, how);
    it.place = part->sorts[it.sort]++;
    it.advice = advise(line, it.verdict, reduced);
    it.pairs = zone_copy(&ret->zone, filling->pairs, filling->pair_count * sizeof *it.pairs);
    it.pair_count = filling->pair_count;
    it.replay = view.replay;
    it.smallest = reduced ? reduced->replay : "";
    free(filling->pairs);
    HEAP_ROOM(ret->findings, ret->finding_count);
    ret->findings[ret->finding_count++] = it;
}

/* The row that a finding belongs to: of the kernel's bits, of the programs of its path, or itself.
 */
static const struct document_check *check_of(const struct document_part *part,
                                             const struct line *line)
{
    const struct line_finding *finding = LINE_AS(finding, line);
    const struct line_program *program = LINE_AS(program, line);
    for (size_t at = 0; at < part->check_count; at++) {
        const struct line *row = part->checks[at].line;
        const struct line_bits *bits = LINE_AS(bits, row);
        const struct line_programs *programs = LINE_AS(programs, row);
        if (row == line ||
            (finding && bits && line_is_of_subject(&bits->subject, &finding->subject)) ||
            (program && programs && strcmp(programs->path, program->path) == 0 &&
             strcmp(programs->device, program->device) == 0))
            return &part->checks[at];
    }
    return NULL;
}

/* Parts. */

static void add_lines(struct filling *filling)
{
    const struct loaded_record *record = filling->record;
    struct document_part *part = &filling->ret->parts[filling->ret->part_count - 1];
    for (int kind = 0; kind < RECORD_KIND_COUNT; kind++) {
        const struct loaded_lines *lines = &record->kinds[kind];
        for (size_t index = 0; index < lines->count; index++) {
            if (is_check((enum record_kind)kind))
                add_check(filling, lines->each[index]);
            if (failure_is_shown(lines, index))
                add_finding(filling, lines, index, true);
        }
    }
    part->sorts[DOCUMENT_FAILURE] += record->kinds[RECORD_finding].left_out;
    const struct loaded_lines *undecided = &record->kinds[LOADED_INCONCLUSIVE];
    for (size_t index = 0; index < undecided->count; index++)
        add_finding(filling, undecided, index, false);
    part->sorts[DOCUMENT_UNDECIDED] += undecided->left_out;
}

static struct document_part *add_part(struct document *ret, const char *name, enum verdict verdict,
                                      const char *note, const char *words)
{
    HEAP_ROOM(ret->parts, ret->part_count);
    ret->parts[ret->part_count] = (struct document_part){.name = name,
                                                         .verdict = verdict,
                                                         .note = zone_text(&ret->zone, note),
                                                         .words = zone_text(&ret->zone, words)};
    return &ret->parts[ret->part_count++];
}

/* Failures of a record: of its summary, or of the lines of one that was cut short. */
static uint64_t failures_of(const struct loaded_record *record)
{
    uint64_t counts[VERDICT_COUNT], count = 0;
    line_counts(&loaded_summary(record)->counts, counts);
    for (int each = 0; each < VERDICT_COUNT; each++)
        if (verdict_is_failure((enum verdict)each))
            count += record->summary ? counts[each]
                                     : record->verdicts[LINE_FINDING][each] +
                                           record->verdicts[LINE_MEASURED][each];
    return count;
}

/* The parts, and after that their rows: the arrays have grown to their last place. */
static void settle(struct document *ret)
{
    const struct document_check *check = ret->checks;
    struct document_finding *finding = ret->findings;
    for (size_t at = 0; at < ret->part_count; at++) {
        struct document_part *part = &ret->parts[at];
        part->checks = check;
        part->findings = finding;
        for (size_t index = 0; index < part->finding_count; index++)
            finding[index].check = check_of(part, finding[index].line);
        check += part->check_count;
        finding += part->finding_count;
    }
    for (size_t at = 0; at < ret->finding_count; at++)
        ret->action = ret->findings[at].advice.action > ret->action
                          ? ret->findings[at].advice.action
                          : ret->action;
}

static time_t time_of(const char *text)
{
    struct tm tm = {.tm_sec = 0};
    return strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm) ? timegm(&tm) : 0;
}

static void add_devices(struct document *ret, const struct loaded_record *record)
{
    for (size_t at = 0; at < record->kinds[RECORD_device].count; at++) {
        const struct line_device *device = LINE_AS(device, record->kinds[RECORD_device].each[at]);
        size_t before = 0;
        while (before < ret->device_count &&
               (strcmp(ret->devices[before]->label, device->label) != 0 ||
                strcmp(ret->devices[before]->uuid, device->uuid) != 0))
            before++;
        if (before < ret->device_count)
            continue;
        HEAP_ROOM(ret->devices, ret->device_count);
        ret->devices[ret->device_count++] = device;
        ret->gpu_count += device_kind_of(device->label)->is_gpu;
    }
}

/* When, where and for how long, of all records. */
static void add_facts(struct document *ret)
{
    const struct loaded *loaded = ret->loaded;
    const char *host = "";
    size_t hosts = 0;
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        const time_t started = time_of(record->header->started);
        ret->started =
            started && (ret->started == 0 || started < ret->started) ? started : ret->started;
        ret->failures += failures_of(record);
        if (!loaded_is_of_gate(record)) /* else it is of the gate */
            ret->seconds += loaded_summary(record)->seconds;
        add_devices(ret, record);
        if (strcmp(record->header->host, host) != 0) {
            host = record->header->host;
            hosts++;
        }
    }
    ret->host = hosts > 1 ? zone_text(&ret->zone, NUMBER_COUNT(hosts, "host")) : host;
    ret->has_gpu = !assess_no_gpu(loaded);
    if (loaded->count > 0) {
        const char *command = loaded->records->header->command;
        ret->command = command[0]                           ? command
                       : loaded_is_of_gate(loaded->records) ? "gate"
                                                            : loaded_measure(loaded->records);
    }
}

/* `words`: of the gate, or NULL. */
static void add_record(struct document *ret, const struct loaded_record *record,
                       const struct line_gate *gate, const char *words)
{
    const size_t checks = ret->check_count, findings = ret->finding_count;
    const struct line_summary *summary = loaded_summary(record);
    struct filling filling = {.ret = ret, .record = record, .names = json_object()};
    struct assessment assessment;
    char own[ASSESSMENT_REASON_BYTES + 128];
    assess_part(record, gate, &assessment);
    snprintf(own, sizeof own, "%s, in %.1f s%s%s", NUMBER_COUNT(summary->counts.passed, "check"),
             summary->seconds, assessment.reason[0] ? ": " : "", assessment.reason);
    struct document_part *part =
        add_part(ret, record->header->part[0] ? record->header->part : loaded_measure(record),
                 assessment.verdict, assessment.reason, words ? words : own);
    part->record = record;
    add_lines(&filling);
    json_decref(filling.names);
    part->check_count = ret->check_count - checks;
    part->finding_count = ret->finding_count - findings;
}

/* The records of one gate, or one that is of none; a gate's parts in its order, also those that
 * left no record. */
static void add_records(struct document *ret, const struct loaded_record *records, size_t count,
                        const struct line_gate *gate)
{
    for (size_t at = 0; gate && at < gate->parts.count; at++) {
        const struct line_gate_part *it = &gate->parts.each[at];
        size_t index = 0;
        while (index < count && strcmp(records[index].header->part, it->part) != 0)
            index++;
        if (index < count)
            add_record(ret, &records[index], gate, it->note);
        else
            add_part(ret, it->part, it->verdict < VERDICT_COUNT ? it->verdict : VERDICT_ERROR,
                     it->note, it->note);
    }
    for (size_t index = 0; index < count; index++) {
        bool is_added = false;
        for (size_t at = 0; gate && at < gate->parts.count; at++)
            is_added =
                is_added || strcmp(records[index].header->part, gate->parts.each[at].part) == 0;
        if (!is_added)
            add_record(ret, &records[index], gate, NULL);
    }
    ret->baseline = gate && gate->baseline[0] ? gate->baseline : ret->baseline;
    ret->seconds += gate ? gate->seconds : 0;
}

static void begin(struct document *ret, const struct loaded *loaded)
{
    *ret = (struct document){.loaded = loaded, .command = "", .host = "", .baseline = ""};
}

void document_open(struct document *ret, const struct loaded *loaded)
{
    struct assessment assessment;
    begin(ret, loaded);
    assess_records(loaded, &assessment);
    ret->verdict = assessment.verdict;
    ret->reason = zone_text(&ret->zone, assessment.reason);
    for (size_t first = 0; first < loaded->count;) {
        const struct loaded_record *records = &loaded->records[first];
        const size_t count = loaded_gate_records(loaded, first);
        add_records(ret, records, count, records[count - 1].gate);
        first += count;
    }
    settle(ret);
    add_facts(ret);
}

void document_open_gate(struct document *ret, const struct loaded *loaded,
                        const struct line_gate *gate)
{
    begin(ret, loaded);
    ret->verdict = gate->verdict;
    ret->reason = gate->reason;
    add_records(ret, loaded->records, loaded->count, gate);
    settle(ret);
    add_facts(ret);
}

void document_close(struct document *document)
{
    free(document->devices);
    free(document->parts);
    free(document->checks);
    free(document->findings);
    zone_free(&document->zone);
}

const char *document_more(const struct document_part *part, enum document_sort sort, size_t shown,
                          char ret_text[NUMBER_COUNT_BYTES])
{
    static const char *const nouns[DOCUMENT_SORT_COUNT] = {
        [DOCUMENT_FAILURE] = "more failure",
        [DOCUMENT_MISCOMPILE] = "more miscompile",
        [DOCUMENT_KNOWN] = "more miscompile",
        [DOCUMENT_MEASURED] = "more failed measurement",
        [DOCUMENT_UNDECIDED] = "more undecided check",
    };
    ret_text[0] = 0;
    return part->sorts[sort] > shown
               ? number_count(part->sorts[sort] - shown, nouns[sort], ret_text)
               : ret_text;
}

const char *document_unlisted(const struct document_part *part, enum document_sort sort,
                              char ret_text[NUMBER_COUNT_BYTES])
{
    size_t shown = 0;
    for (size_t at = 0; at < part->finding_count; at++)
        shown += part->findings[at].sort == sort;
    return document_more(part, sort, shown, ret_text);
}
