/* Reads files of a fleet (fleet_read.h). Each is read by itself into a struct source, by several
 * threads; then one thread makes machines of them, in the order of the files. Clauses:
 * fleet.input.unread, fleet.input.cut, fleet.input.duplicate, fleet.input.older,
 * fleet.machine.joined. */
#include "conformance/fleet/fleet_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conformance/base/array.h"
#include "conformance/base/heap.h"
#include "conformance/base/input_file.h"
#include "conformance/base/text.h"
#include "conformance/fleet/fleet_lines.h"
#include "conformance/model/device_info.h"
#include "conformance/record/line_scan.h"
#include "conformance/record/record.h"
#include "conformance/work/windows.h"

/* What one file says, while it is read and until machines are made. */
struct source {
    struct fleet_file file;
    struct fleet_line_key digest; /* of the whole file */
    char identity[256], host[128], started[32];
    int64_t booted_s; /* of a machine without an id: two readings of it differ by a second */
    enum verdict verdict;
    char why[REASON_TEXT_BYTES];
    struct fleet_cells cells;
    struct fleet_gpu *gpus;
    size_t gpu_count;
};

/* A file that is being read. */
struct reading {
    struct fleet_table *table;
    struct source *into;
    struct zone zone; /* of its lines */
    const struct line_header *header;
    fleet_text_id plan;
    struct fleet_line_key *devices; /* lines of devices: each part of a gate has them again */
    size_t device_count;
    /* Of the record or the gate that is read. */
    bool has_summary, has_gate, is_of_gate, is_cut;
    bool is_open; /* it has its verdict, and its end is to follow */
    bool fails;   /* a line of it does */
};

/* The device of that label; a new one at its end. Devices that no line names are not there. */
static struct fleet_gpu *gpu_of(struct reading *reading, const char *label)
{
    struct source *into = reading->into;
    for (size_t index = 0; index < into->gpu_count; index++)
        if (strcmp(into->gpus[index].label, label) == 0)
            return &into->gpus[index];
    HEAP_ROOM(into->gpus, into->gpu_count);
    into->gpus[into->gpu_count] = (struct fleet_gpu){
        .label = fleet_text_of(reading->table, fleet_text(reading->table, label))};
    return &into->gpus[into->gpu_count++];
}

/* Adds cells, each column once: a machine's records say the same of it. */
static void add_new_cells(struct fleet_cells *into, const struct fleet_cells *from)
{
    for (size_t index = 0; index < from->count; index++) {
        size_t own = 0;
        while (own < into->count && into->each[own].column != from->each[index].column)
            own++;
        if (own == into->count)
            fleet_cell_add(into, from->each[index].column, from->each[index].value);
    }
}

static void add_cells(struct fleet_cells *into, const struct fleet_cell *cells, size_t count)
{
    for (size_t index = 0; index < count; index++)
        fleet_cell_add(into, cells[index].column, cells[index].value);
}

/* Adds the cells of a line to its GPU, which may be those of a line of another file. */
static void take_cells(struct reading *reading, const struct fleet_line *line)
{
    struct fleet_gpu *gpu = gpu_of(reading, line->label);
    add_cells(&gpu->cells, line->cells, line->count);
    if (line->kind == RECORD_bits)
        gpu->plan = reading->plan;
    reading->fails = reading->fails || line->fails;
}

static bool has_device(const struct reading *reading, struct fleet_line_key key)
{
    bool has = false;
    for (size_t index = 0; index < reading->device_count; index++)
        has = has ||
              (reading->devices[index].high == key.high && reading->devices[index].low == key.low);
    return has;
}

/* True if a check or a measurement failed; what was found one by one counts in these. */
static bool line_fails(const struct line *line)
{
    enum verdict verdicts[LINE_VERDICTS_MAX];
    const enum line_tally tally = line_kind(line->kind).tally;
    bool fails = false;
    for (size_t index = line_verdicts(line, verdicts); index-- > 0;)
        fails = fails || verdict_is_failure(verdicts[index]);
    return fails && (tally == LINE_SUM || tally == LINE_MEASURED);
}

static void take_device(struct reading *reading, const struct line_device *line)
{
    struct fleet_table *table = reading->table;
    struct fleet_gpu *gpu = device_is_single(line->label) ? gpu_of(reading, line->label) : NULL;
    if (gpu == NULL || gpu->model != 0)
        return;
    gpu->model = fleet_text(table, line->name);
    gpu->uuid = fleet_text(table, line->uuid);
    gpu->pci = fleet_text_of(table, fleet_text(table, line->pci));
    gpu->capability = fleet_text(table, line->compute_capability);
    fleet_line_device(table, line, &gpu->cells);
}

/* Joins a verdict, whose reason counts if it is the worse. */
static void join(struct source *into, enum verdict verdict, const char *why)
{
    const enum verdict own =
        verdict < VERDICT_COUNT && verdict_was_due(verdict) ? verdict : VERDICT_ERROR;
    const enum verdict joined = verdict_of_whole(verdict_join(into->verdict, own));
    if (joined != into->verdict)
        snprintf(into->why, sizeof into->why, "%s", joined == VERDICT_PASS ? "" : why);
    into->verdict = joined;
}

/* A gate's own verdict, and those of its parts, which it cannot be better than. */
static void take_gate(struct reading *reading, const struct line_gate *line)
{
    reading->has_gate = reading->is_open = true;
    reading->is_cut = reading->is_cut || line->ended_early;
    join(reading->into, line->verdict, line->reason);
    for (size_t index = 0; index < line->parts.count; index++) {
        const struct line_gate_part *part = &line->parts.each[index];
        char why[REASON_TEXT_BYTES];
        snprintf(why, sizeof why, "part %.31s: %.400s", part->part, part->note);
        join(reading->into, part->verdict, why);
        reading->fails = reading->fails && part->in_baseline == 0;
    }
}

static void take_summary(struct reading *reading, const struct line_summary *line)
{
    reading->has_summary = reading->is_open = true;
    if (!reading->is_of_gate)
        join(reading->into, line->verdict, line->reason);
}

/* A record had to have its verdict and its end; and the last of a gate those of the gate. */
static void end_record(struct reading *reading, bool gate_goes_on)
{
    const bool is_whole = reading->has_summary && !reading->is_open &&
                          (reading->has_gate || !reading->is_of_gate || gate_goes_on);
    reading->is_cut = reading->is_cut || (reading->header && !is_whole);
}

/* The seconds of "2026-11-20T08:00:00Z", from whenever on. */
static int64_t seconds_of(const char *time)
{
    struct tm it = {0};
    if (sscanf(time, "%d-%d-%dT%d:%d:%d", &it.tm_year, &it.tm_mon, &it.tm_mday, &it.tm_hour,
               &it.tm_min, &it.tm_sec) != 6)
        return 0;
    it.tm_year -= 1900;
    it.tm_mon--;
    return timegm(&it);
}

static void take_header(struct reading *reading, const struct line_header *line)
{
    struct fleet_table *table = reading->table;
    struct source *into = reading->into;
    const bool goes_on = reading->is_of_gate && line->parts.each && !reading->has_gate;
    end_record(reading, goes_on);
    reading->header = line;
    reading->is_of_gate = line->parts.each != NULL;
    reading->has_summary = reading->has_gate = false;
    reading->plan = fleet_line_plan(table, line);
    if (strcmp(line->started, into->started) > 0)
        snprintf(into->started, sizeof into->started, "%s", line->started);
    if (into->host[0] == 0)
        snprintf(into->host, sizeof into->host, "%s", line->host);
    if (into->identity[0] == 0 && (line->machine[0] || (line->host[0] && line->booted[0]))) {
        snprintf(into->identity, sizeof into->identity, "%.100s|%.40s", line->host, line->machine);
        into->booted_s = line->machine[0] ? 0 : seconds_of(line->booted);
    }
    for (size_t index = 0; index < line->devices.count; index++)
        if (device_is_single(line->devices.each[index]))
            gpu_of(reading, line->devices.each[index]);
    fleet_line_header(table, line, &into->cells);
}

/* A line that no other file had. */
static void take_line(struct reading *reading, const struct line *line, struct fleet_line_key key)
{
    struct fleet_table *table = reading->table;
    struct fleet_cells cells = {.each = NULL};
    struct fleet_line it = {
        .key = key, .label = line_view(line).device, .kind = line->kind, .fails = line_fails(line)};
    reading->fails = reading->fails || (it.label[0] && it.fails);
    if (it.label[0] == 0 || !device_is_single(it.label)) /* of no one GPU */
        return;
    fleet_line_cells(table, line, &cells);
    it.cells = cells.each;
    it.count = cells.count;
    take_cells(reading, &it);
    fleet_line_figures(table, line, gpu_of(reading, it.label));
    if (fleet_line_is_alike(line->kind))
        fleet_keep(table, &it);
    free(cells.each);
}

static void take_read(struct reading *reading, const struct line *line, struct fleet_line_key key)
{
    switch (line->kind) {
    case RECORD_header:
        take_header(reading, LINE_AS(header, line));
        break;
    case RECORD_device:
        HEAP_ROOM(reading->devices, reading->device_count);
        reading->devices[reading->device_count++] = key;
        take_device(reading, LINE_AS(device, line));
        break;
    case RECORD_summary:
        take_summary(reading, LINE_AS(summary, line));
        break;
    case RECORD_gate:
        take_gate(reading, LINE_AS(gate, line));
        break;
    case RECORD_finding: /* each counts in the line of its bits */
    case RECORD_reduced:
    case RECORD_gaps:
    case RECORD_cases:
        break;
    default:
        take_line(reading, line, key);
    }
}

/* Takes a line that is known, or that needs no parser: nearly all lines. */
static bool recall(void *context, const char *text, size_t bytes)
{
    struct reading *reading = context;
    struct fleet_line known;
    const struct fleet_line_key key = fleet_line_key(text, bytes);
    if (fleet_recall(reading->table, key, &known)) {
        take_cells(reading, &known);
        return true;
    }
    if (has_device(reading, key))
        return true;
    const struct line *line = line_scan(&reading->zone, text, bytes);
    if (line)
        take_read(reading, line, key);
    return line != NULL;
}

static void take(void *context, const struct record_entry *entry)
{
    struct reading *reading = context;
    if (entry->kind == RECORD_end)
        reading->is_open = false;
    else
        take_read(reading, line_read(&reading->zone, entry->kind, entry->object),
                  fleet_line_key(entry->text, entry->bytes));
}

/* What follows from all lines of the file. */
static void settle(struct reading *reading)
{
    struct source *into = reading->into;
    struct fleet_table *table = reading->table;
    end_record(reading, false);
    if (reading->is_cut) {
        into->file.state = FLEET_FILE_CUT;
        into->file.reason = "cut short: its gate or its run did not end";
    }
    if (reading->fails)
        join(into, VERDICT_FAIL, "a line of it fails, and its verdict does not");
    for (size_t index = 0; index < into->gpu_count; index++) {
        struct fleet_gpu *gpu = &into->gpus[index];
        if (gpu->model == 0 && !device_kind_of(gpu->label)->is_gpu)
            gpu->model = gpu->capability = fleet_text(table, gpu->label);
        fleet_line_clocks(table, gpu);
        if (gpu->plan != 0)
            fleet_line_plan_cell(table, gpu->plan, &into->cells);
    }
}

static void read_source(struct fleet_table *table, struct source *into)
{
    struct reason reason;
    struct reading reading = {.table = table, .into = into};
    char *text = input_read(INPUT_RECORD, into->file.path, &into->file.bytes, &reason);
    into->verdict = VERDICT_DECLINED;
    if (text == NULL)
        reason_before(&reason, "%s: cannot be read: ", into->file.path);
    else
        into->digest = fleet_line_key(text, into->file.bytes);
    const bool good = text && records_recall(into->file.path, text, into->file.bytes, recall, take,
                                             &reading, &reason);
    free(text);
    if (good)
        settle(&reading);
    zone_free(&reading.zone);
    free(reading.devices);
    if (good)
        return;
    /* A row names the file already. */
    const size_t named = strlen(into->file.path);
    const bool is_named = strncmp(reason.text, into->file.path, named) == 0 &&
                          strncmp(reason.text + named, ": ", 2) == 0;
    into->file.state = FLEET_FILE_UNREAD;
    into->file.reason =
        fleet_text_of(table, fleet_text(table, is_named ? reason.text + named + 2 : reason.text));
}

/* All files of one call. */
struct sources {
    struct fleet_table *table;
    struct source *each;
    size_t count;
};

static void read_piece(void *context, int thread, int piece)
{
    struct sources *sources = context;
    (void)thread;
    read_source(sources->table, &sources->each[piece]);
}

static void read_all(struct sources *sources)
{
    struct team *team = team_open(team_cores());
    team_run(team, read_piece, sources, (int)sources->count);
    team_close(team);
}

/* The same record of one machine was given twice, or an older one was. */

struct place {
    uint64_t high, low; /* what two records of one have */
    size_t source;
};

static int sort_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->source > b->source) - (a->source < b->source);
}

static void leave_out(struct sources *sources, size_t source, enum fleet_file_state state,
                      const char *words, size_t other)
{
    char why[REASON_TEXT_BYTES];
    struct fleet_file *file = &sources->each[source].file;
    snprintf(why, sizeof why, "%s %.400s", words, sources->each[other].file.path);
    file->state = state;
    file->reason = fleet_text_of(sources->table, fleet_text(sources->table, why));
}

/* Leaves out all but the first of the files with the same bytes. */
static void find_duplicates(struct sources *sources)
{
    struct place *places = heap_take(sources->count, sizeof *places);
    for (size_t source = 0; source < sources->count; source++)
        places[source] = (struct place){sources->each[source].digest.high,
                                        sources->each[source].digest.low, source};
    qsort(places, sources->count, sizeof *places, sort_places);
    for (size_t index = 1, first = 0; index < sources->count; index++) {
        const bool is_same =
            places[index].high == places[first].high && places[index].low == places[first].low;
        const struct source *it = &sources->each[places[index].source];
        first = is_same ? first : index;
        if (is_same && it->file.state != FLEET_FILE_UNREAD)
            leave_out(sources, places[index].source, FLEET_FILE_DUPLICATE, "the same bytes as",
                      places[first].source);
    }
    free(places);
}

/* Leaves out each record of a GPU of which a later one is there: that of a machine as it was. */
static void find_older(struct sources *sources)
{
    struct place *places = NULL;
    size_t count = 0;
    for (size_t source = 0; source < sources->count; source++) {
        const struct source *it = &sources->each[source];
        for (size_t gpu = 0; it->file.state == FLEET_FILE_READ && gpu < it->gpu_count; gpu++) {
            if (it->gpus[gpu].uuid == 0)
                continue;
            HEAP_ROOM(places, count);
            places[count++] = (struct place){it->gpus[gpu].uuid, 0, source};
        }
    }
    if (count > 0)
        qsort(places, count, sizeof *places, sort_places);
    for (size_t index = 1, latest = 0; index < count; index++) {
        const size_t one = places[latest].source, other = places[index].source;
        if (places[index].high != places[latest].high || one == other) {
            latest = places[index].high != places[latest].high ? index : latest;
            continue;
        }
        const bool is_later = strcmp(sources->each[other].started, sources->each[one].started) > 0;
        leave_out(sources, is_later ? one : other, FLEET_FILE_OLDER, "older than",
                  is_later ? other : one);
        latest = is_later ? index : latest;
    }
    free(places);
}

/* Machines. */

static int sort_identities(const void *left, const void *right)
{
    const struct source *const *a = left, *const *b = right;
    const int order = strcmp((*a)->identity, (*b)->identity);
    if (order == 0 && (*a)->booted_s != (*b)->booted_s)
        return (*a)->booted_s < (*b)->booted_s ? -1 : 1;
    return order ? order : (*a > *b) - (*a < *b);
}

static bool has_label(const struct fleet_table *table, size_t machine, const struct source *source)
{
    bool has = false;
    for (size_t gpu = table->gpu_count; gpu-- > 0 && table->gpus[gpu].machine == machine;)
        for (size_t own = 0; own < source->gpu_count; own++)
            has = has || strcmp(table->gpus[gpu].label, source->gpus[own].label) == 0;
    return has;
}

static void begin_machine(struct fleet_table *table, const struct source *source)
{
    char name[128];
    const char *base = strrchr(source->file.path, '/');
    snprintf(name, sizeof name, "%s",
             source->host[0] ? source->host
             : base          ? base + 1
                             : source->file.path);
    HEAP_ROOM(table->machines, table->machine_count);
    table->machines[table->machine_count++] = (struct fleet_machine){
        .name = fleet_text_of(table, fleet_text(table, name)),
        .identity = fleet_text_of(table, fleet_text(table, source->identity)),
        .path = source->file.path,
        .verdict = VERDICT_DECLINED,
        .reason = "",
        .is_base = source->file.is_base};
}

/* Adds a file's record to the last machine, which then owns its cells. */
static void add_source(struct fleet_table *table, struct source *source)
{
    const size_t machine = table->machine_count - 1;
    struct fleet_machine *into = &table->machines[machine];
    const enum verdict joined = verdict_of_whole(verdict_join(into->verdict, source->verdict));
    if (joined != into->verdict)
        into->reason = fleet_text_of(table, fleet_text(table, source->why));
    into->verdict = joined;
    add_new_cells(&into->cells, &source->cells);
    for (size_t gpu = 0; gpu < source->gpu_count; gpu++) {
        HEAP_ROOM(table->gpus, table->gpu_count);
        table->gpus[table->gpu_count] = source->gpus[gpu];
        table->gpus[table->gpu_count].machine = machine;
        table->gpus[table->gpu_count++].is_base = source->file.is_base;
    }
    into->gpu_count += source->gpu_count;
    source->gpu_count = 0;
}

/* Machines in the order of their first files would be that of the words; by identity, those of one
 * machine are together. */
static void make_machines(struct sources *sources)
{
    struct fleet_table *table = sources->table;
    struct source **sorted = heap_take(sources->count, sizeof *sorted);
    enum { BOOT_APART_S = 2 };
    const struct source *last = NULL;
    for (size_t source = 0; source < sources->count; source++) {
        struct source *it = sorted[source] = &sources->each[source];
        if (it->identity[0] == 0) /* its file is all that tells it apart */
            snprintf(it->identity, sizeof it->identity, "%.250s", it->file.path);
    }
    qsort(sorted, sources->count, sizeof *sorted, sort_identities);
    for (size_t index = 0; index < sources->count; index++) {
        struct source *it = sorted[index];
        if (it->file.state != FLEET_FILE_READ)
            continue;
        if (last == NULL || strcmp(last->identity, it->identity) != 0 ||
            it->booted_s - last->booted_s > BOOT_APART_S ||
            has_label(table, table->machine_count - 1, it))
            begin_machine(table, it);
        last = it;
        add_source(table, it);
    }
    free(sorted);
}

void fleet_read(struct fleet_table *table, const char *const *paths, size_t count, bool is_base)
{
    struct sources sources = {
        .table = table, .each = heap_take(count, sizeof *sources.each), .count = count};
    for (size_t source = 0; source < count; source++)
        sources.each[source].file = (struct fleet_file){.path = paths[source], .is_base = is_base};
    read_all(&sources);
    find_duplicates(&sources);
    find_older(&sources);
    make_machines(&sources);
    for (size_t source = 0; source < count; source++) {
        struct source *it = &sources.each[source];
        HEAP_ROOM(table->files, table->file_count);
        table->files[table->file_count++] = it->file;
        for (size_t gpu = 0; gpu < it->gpu_count; gpu++) {
            free(it->gpus[gpu].cells.each);
            free(it->gpus[gpu].figures);
        }
        free(it->gpus);
        free(it->cells.each);
    }
    free(sources.each);
    table->has_base = table->has_base || is_base;
}
