/* Records as a document (document.h). Clauses: report.format.checks, report.format.findings,
 * report.format.parts, report.failure.told, report.size.bounded. */
#include "conformance/report/document.h"

#include <stdarg.h>
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
};

static const char *keep(struct filling *filling, const char *text)
{
    return zone_text(&filling->ret->zone, text);
}

/* Filling, of records or of anything else. */

void document_begin(struct document *ret, const char *command)
{
    static struct loaded none;
    *ret = (struct document){
        .loaded = &none, .command = command, .reason = "", .host = "", .baseline = ""};
}

const char *document_text(struct document *document, const char *format, ...)
{
    struct written written;
    va_list arguments;
    written_open(&written);
    va_start(arguments, format);
    vfprintf(written.file, format, arguments);
    va_end(arguments);
    char *text = written_close(&written);
    const char *ret = zone_text(&document->zone, text);
    free(text);
    return ret;
}

/* A name as every format can show it: two that only a hidden letter tells apart have the same
 * labels. */
static char *tame_name(struct document *document, const char *name)
{
    const size_t bytes = strlen(name) + 1;
    char *copy = zone_take(&document->zone, bytes);
    memcpy(copy, name, bytes);
    utf8_tame(copy);
    return copy;
}

struct document_part *document_part(struct document *document, const char *name,
                                    enum verdict verdict, const char *note, const char *words)
{
    json_decref(document->names);
    document->names = json_object();
    HEAP_ROOM(document->parts, document->part_count);
    struct document_part *part = &document->parts[document->part_count++];
    *part = (struct document_part){.name = tame_name(document, name),
                                   .verdict = verdict,
                                   .note = zone_text(&document->zone, note),
                                   .words = zone_text(&document->zone, words)};
    return part;
}

/* The name, or with a number one that no other check of its part, kind and device has: the copies
 * of two shapes with one footprint, two machines of one name. */
static const char *name_apart(struct document *document, const struct document_check *check)
{
    enum { NAME_BYTES = 2 * FAILURE_TEXT_BYTES };
    char name[NAME_BYTES + 24], key[2 * NAME_BYTES];
    const char *tame = tame_name(document, check->name);
    json_int_t number = 1, before;
    do {
        snprintf(name, sizeof name, number > 1 ? "%.*s#%lld" : "%.*s", NAME_BYTES - 1, tame,
                 (long long)number);
        snprintf(key, sizeof key, "%d %.64s %s", check->line ? (int)check->line->kind : -1,
                 check->device, name);
        before = json_integer_value(json_object_get(document->names, key));
        json_object_set_new_nocheck(document->names, key, json_integer(before + 1));
        number = number > 1 ? number + 1 : before + 1;
    } while (before > 0);
    return zone_text(&document->zone, name);
}

size_t document_check(struct document *document, const struct document_check *check)
{
    struct document_part *part = &document->parts[document->part_count - 1];
    HEAP_ROOM(document->checks, document->check_count);
    struct document_check *it = &document->checks[document->check_count++];
    *it = *check;
    it->device = check->device ? tame_name(document, check->device) : "";
    it->name = name_apart(document, it);
    it->note = check->note ? check->note : "";
    return ++part->check_count;
}

void document_finding(struct document *document, const struct document_finding *finding)
{
    struct document_part *part = &document->parts[document->part_count - 1];
    HEAP_ROOM(document->findings, document->finding_count);
    struct document_finding *it = &document->findings[document->finding_count++];
    *it = *finding;
    it->how = finding->how ? finding->how : "";
    it->replay = finding->replay ? finding->replay : "";
    it->smallest = finding->smallest ? finding->smallest : "";
    struct document_pair *pairs =
        zone_take(&document->zone, finding->pair_count * sizeof finding->pairs[0]);
    it->pairs = pairs;
    it->pair_count = 0;
    for (size_t at = 0; at < finding->pair_count; at++)
        if (finding->pairs[at].text[0])
            pairs[it->pair_count++] = finding->pairs[at];
    it->place = part->sorts[it->sort]++;
    part->finding_count++;
}

static time_t time_of(const char *text)
{
    struct tm tm = {.tm_sec = 0};
    return strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm) ? timegm(&tm) : 0;
}

void document_header(struct document *document, const struct line_header *header)
{
    document->header = header;
    document->host = header->host;
    document->started = time_of(header->started);
}

void document_devices(struct document *document, const struct loaded_record *record)
{
    for (size_t at = 0; at < record->kinds[RECORD_device].count; at++) {
        const struct line_device *device = LINE_AS(device, record->kinds[RECORD_device].each[at]);
        size_t before = 0;
        while (before < document->device_count &&
               (strcmp(document->devices[before]->label, device->label) != 0 ||
                strcmp(document->devices[before]->uuid, device->uuid) != 0))
            before++;
        if (before < document->device_count)
            continue;
        HEAP_ROOM(document->devices, document->device_count);
        document->devices[document->device_count++] = device;
        document->gpu_count +=
            device_kind_of(device->label)->is_gpu && device_is_single(device->label);
    }
}

/* The arrays have grown to their last place. */
void document_finish(struct document *document)
{
    const struct document_check *check = document->checks;
    struct document_finding *finding = document->findings;
    json_decref(document->names);
    document->names = NULL;
    for (size_t at = 0; at < document->part_count; at++) {
        struct document_part *part = &document->parts[at];
        part->checks = check;
        part->findings = finding;
        for (size_t index = 0; index < part->finding_count; index++, finding++) {
            finding->check = finding->row ? &check[finding->row - 1] : NULL;
            document->action = finding->advice.action > document->action ? finding->advice.action
                                                                         : document->action;
        }
        for (int sort = 0; sort < DOCUMENT_UNDECIDED; sort++)
            document->failures += part->sorts[sort];
        check += part->check_count;
    }
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

static void add_check(struct filling *filling, const struct line *line)
{
    const struct line_view view = line_view(line);
    const struct line_bits *bits = LINE_AS(bits, line);
    char name[2 * FAILURE_TEXT_BYTES];
    if (!view.has_verdict)
        return;
    name_check(line, name, sizeof name);
    const bool is_known = view.verdict < VERDICT_COUNT;
    const char *note = bits ? failure_row(bits) : view.note;
    document_check(filling->ret, &(struct document_check){
                                     .line = line,
                                     .device = view.device,
                                     .name = name,
                                     .note = note[0] || is_known ? note : "it has no verdict",
                                     .verdict = is_known ? view.verdict : VERDICT_ERROR});
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
    it.advice = advise(line, it.verdict, reduced);
    it.pairs = filling->pairs;
    it.pair_count = filling->pair_count;
    it.replay = view.replay;
    it.smallest = reduced ? reduced->replay : "";
    document_finding(filling->ret, &it);
    free(filling->pairs);
}

/* The row that a finding belongs to: of the kernel's bits, of the programs of its path, or itself;
 * 0 where a record was cut short. */
static size_t row_of(const struct document_check *checks, size_t count, const struct line *line)
{
    const struct line_finding *finding = LINE_AS(finding, line);
    const struct line_program *program = LINE_AS(program, line);
    for (size_t at = 0; at < count; at++) {
        const struct line *row = checks[at].line;
        const struct line_bits *bits = LINE_AS(bits, row);
        const struct line_programs *programs = LINE_AS(programs, row);
        if (row == line ||
            (finding && bits && line_is_of_subject(&bits->subject, &finding->subject)) ||
            (program && programs && strcmp(programs->path, program->path) == 0 &&
             strcmp(programs->device, program->device) == 0))
            return at + 1;
    }
    return 0;
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

/* When, where and for how long, of all records. */
static void add_facts(struct document *ret)
{
    const struct loaded *loaded = ret->loaded;
    const char *host = "";
    size_t hosts = 0;
    ret->failures = 0; /* those that no finding shows are among them */
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        const time_t started = time_of(record->header->started);
        ret->started =
            started && (ret->started == 0 || started < ret->started) ? started : ret->started;
        ret->failures += failures_of(record);
        if (!loaded_is_of_gate(record)) /* else it is of the gate */
            ret->seconds += loaded_summary(record)->seconds;
        document_devices(ret, record);
        if (strcmp(record->header->host, host) != 0) {
            host = record->header->host;
            hosts++;
        }
    }
    ret->host = hosts > 1 ? zone_text(&ret->zone, NUMBER_COUNT(hosts, "host")) : host;
    ret->has_gpu = !assess_no_gpu(loaded);
    if (loaded->count > 0) {
        ret->header = loaded->records->header;
        const char *command = ret->header->command;
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
    struct filling filling = {.ret = ret, .record = record};
    struct assessment assessment;
    char own[ASSESSMENT_REASON_BYTES + 128];
    assess_part(record, gate, &assessment);
    snprintf(own, sizeof own, "%s, in %.1f s%s%s", NUMBER_COUNT(summary->counts.passed, "check"),
             summary->seconds, assessment.reason[0] ? ": " : "", assessment.reason);
    struct document_part *part =
        document_part(ret, record->header->part[0] ? record->header->part : loaded_measure(record),
                      assessment.verdict, assessment.reason, words ? words : own);
    part->record = record;
    add_lines(&filling);
    for (size_t at = findings; at < ret->finding_count; at++)
        ret->findings[at].row =
            row_of(&ret->checks[checks], part->check_count, ret->findings[at].line);
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
            document_part(ret, it->part, it->verdict < VERDICT_COUNT ? it->verdict : VERDICT_ERROR,
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

void document_open(struct document *ret, const struct loaded *loaded)
{
    struct assessment assessment;
    document_begin(ret, "");
    ret->loaded = loaded;
    assess_records(loaded, &assessment);
    ret->verdict = assessment.verdict;
    ret->reason = zone_text(&ret->zone, assessment.reason);
    for (size_t first = 0; first < loaded->count;) {
        const struct loaded_record *records = &loaded->records[first];
        const size_t count = loaded_gate_records(loaded, first);
        add_records(ret, records, count, records[count - 1].gate);
        first += count;
    }
    document_finish(ret);
    add_facts(ret);
}

void document_open_gate(struct document *ret, const struct loaded *loaded,
                        const struct line_gate *gate)
{
    document_begin(ret, "");
    ret->loaded = loaded;
    ret->verdict = gate->verdict;
    ret->reason = gate->reason;
    add_records(ret, loaded->records, loaded->count, gate);
    document_finish(ret);
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
        [DOCUMENT_NOTE] = "more note",
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
