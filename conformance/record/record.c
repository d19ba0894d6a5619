/* Writing and reading records (record.h). */
#include "conformance/record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/base/array.h"
#include "conformance/base/file.h"
#include "conformance/base/heap.h"
#include "conformance/base/input_file.h"
#include "conformance/base/reason.h"
#include "conformance/base/text.h"
#include "conformance/record/file_sort.h"
#include "conformance/record/record_end.h"
#include "conformance/record/record_fields.h"
#include "conformance/record/record_order.h"

/* Sets of case numbers. */

void ranges_add(struct ranges *ranges, uint64_t first, uint64_t last)
{
    if (ranges->count > 0 && ranges->items[ranges->count - 1].last + 1 == first) {
        ranges->items[ranges->count - 1].last = last;
        return;
    }
    HEAP_ROOM(ranges->items, ranges->count);
    ranges->items[ranges->count++] = (struct range){.first = first, .last = last};
}

static int compare_first(const void *left, const void *right)
{
    const struct range *a = left, *b = right;
    return a->first < b->first ? -1 : a->first > b->first;
}

bool ranges_settle(struct ranges *ranges)
{
    bool distinct = true;
    size_t kept = 0;
    if (ranges->count == 0)
        return true;
    qsort(ranges->items, ranges->count, sizeof *ranges->items, compare_first);
    for (size_t index = 1; index < ranges->count; index++) {
        struct range *last = &ranges->items[kept], *next = &ranges->items[index];
        distinct = distinct && next->first > last->last;
        if (next->first > last->last && next->first - last->last > 1)
            ranges->items[++kept] = *next;
        else if (next->last > last->last)
            last->last = next->last;
    }
    ranges->count = kept + 1;
    return distinct;
}

uint64_t ranges_total(const struct ranges *ranges)
{
    uint64_t total = 0;
    for (size_t index = 0; index < ranges->count; index++)
        total += ranges->items[index].last - ranges->items[index].first + 1;
    return total;
}

void ranges_free(struct ranges *ranges)
{
    free(ranges->items);
    *ranges = (struct ranges){.items = NULL};
}

/* Digests of ranges. After the last of a line there are none. */
static bool range_differs(const char *const texts[2], const size_t counts[2], size_t range)
{
    const char *digests[2];
    for (int side = 0; side < 2; side++)
        digests[side] = range < counts[side] ? texts[side] + range * RANGE_DIGITS : "00000000";
    return memcmp(digests[0], digests[1], RANGE_DIGITS) != 0;
}

const char *ranges_apart(const char *left, const char *right, uint64_t planned,
                         char ret_text[RANGES_TEXT_BYTES])
{
    enum { NAMED_MOST = 3 };
    const char *const texts[] = {left, right};
    const size_t counts[] = {strlen(left) / RANGE_DIGITS, strlen(right) / RANGE_DIGITS};
    const size_t count = counts[0] > counts[1] ? counts[0] : counts[1];
    size_t stretches = 0;
    ret_text[0] = 0;
    for (size_t range = 0, end; counts[0] > 0 && counts[1] > 0 && range < count; range = end + 1) {
        for (end = range; end < count && range_differs(texts, counts, end);)
            end++;
        if (end == range || stretches++ >= NAMED_MOST)
            continue;
        const uint64_t past = (uint64_t)end * RANGE_CASES;
        text_add(ret_text, RANGES_TEXT_BYTES, "%s%llu to %llu", stretches == 1 ? "cases " : ", ",
                 (unsigned long long)range * RANGE_CASES,
                 (unsigned long long)(planned == 0 || past < planned ? past : planned) - 1);
    }
    if (stretches > NAMED_MOST)
        text_add(ret_text, RANGES_TEXT_BYTES, " and %s",
                 NUMBER_COUNT(stretches - NAMED_MOST, "more range"));
    return ret_text;
}

/* Counts of verdicts by name. */

static const char *const count_keys[VERDICT_COUNT] = {
    [VERDICT_PASS] = FIELD_KEY(counts, passed),
    [VERDICT_FAIL] = FIELD_KEY(counts, fail),
    [VERDICT_CRASH] = FIELD_KEY(counts, crash),
    [VERDICT_TIMEOUT] = FIELD_KEY(counts, timeout),
    [VERDICT_ERROR] = FIELD_KEY(counts, error),
    [VERDICT_INCONCLUSIVE] = FIELD_KEY(counts, inconclusive),
    [VERDICT_SKIP] = FIELD_KEY(counts, skip),
    [VERDICT_DECLINED] = FIELD_KEY(counts, declined),
    [VERDICT_EMPTY] = FIELD_KEY(counts, empty),
};

const char *verdict_counts_key(enum verdict verdict)
{
    return count_keys[verdict];
}

struct record {
    int fd;
    bool owned, seekable, is_new;
    bool is_begun; /* what the file had is gone */
    char *path;    /* of one that is owned */
    off_t whole;   /* where the last whole line ends */
    struct record_end *end;
    char error[256];
};

static struct record *keep(struct record it)
{
    struct record *record = heap_take(1, sizeof *record);
    *record = it;
    record->end = record_end_open();
    return record;
}

struct record *record_create(const char *path, struct reason *ret_reason)
{
    struct record it = {.fd = STDOUT_FILENO, .owned = strcmp(path, "-") != 0};
    struct stat status;
    if (!it.owned)
        return keep(it);
    it.is_new = access(path, F_OK) != 0;
    it.fd = file_open_output(path, O_WRONLY | O_CREAT, ret_reason);
    it.seekable = it.fd >= 0 && fstat(it.fd, &status) == 0 && S_ISREG(status.st_mode);
    if (it.fd < 0 || !file_hold(it.fd, path, ret_reason)) {
        if (it.fd >= 0)
            close(it.fd);
        return NULL;
    }
    it.whole = it.seekable ? status.st_size : 0;
    it.path = heap_text(path);
    return keep(it);
}

struct record *record_of_pipe(int fd)
{
    return keep((struct record){.fd = fd, .is_begun = true});
}

static const char changed[] = "another program has written to it";

static bool is_changed(const struct record *record)
{
    struct stat status;
    return record->seekable && fstat(record->fd, &status) == 0 && status.st_size != record->whole;
}

/* Cuts off the part of a line that a failed write left. */
static bool give_up(struct record *record, const char *why)
{
    snprintf(record->error, sizeof record->error, "%s", why);
    if (record->seekable && ftruncate(record->fd, record->whole) != 0)
        return false;
    return false;
}

/* The file's contents go with the first line. */
static bool begin_file(struct record *record)
{
    if (record->is_begun || !record->seekable)
        return true;
    record->is_begun = true;
    record->whole = 0;
    return ftruncate(record->fd, 0) == 0 || give_up(record, strerror(errno));
}

bool record_text_line(struct record *record, const char *text, size_t bytes)
{
    if (record->error[0] == 0 && is_changed(record))
        snprintf(record->error, sizeof record->error, "%s", changed);
    if (record->error[0] == 0 && begin_file(record) && !output_write(record->fd, text, bytes))
        give_up(record, errno == EINTR ? "its reader stopped reading" : strerror(errno));
    if (record->error[0] == 0)
        record->whole += (off_t)bytes;
    return record->error[0] == 0;
}

static char *text_of(json_t *line, size_t *ret_bytes)
{
    char *text = json_dumps(line, VALUE_WRITTEN);
    json_decref(line);
    heap_need(text);
    *ret_bytes = strlen(text) + 1;
    text[*ret_bytes - 1] = '\n'; /* in the place of its 0 */
    return text;
}

bool record_line(struct record *record, const struct line *line)
{
    const bool is_last = line->kind == RECORD_summary || line->kind == RECORD_gate;
    size_t bytes, end_bytes;
    char *text = text_of(line_json(line), &bytes), *end = NULL;
    bool good = record_text_line(record, text, bytes);
    if (good)
        record_end_add(record->end, text, bytes);
    if (good && is_last) {
        end = text_of(record_end_line(record->end), &end_bytes);
        good = record_text_line(record, end, end_bytes);
    }
    free(text);
    free(end);
    return good;
}

const char *record_error(const struct record *record)
{
    return record->error[0] ? record->error : NULL;
}

bool record_close(struct record *record, struct reason *ret_reason)
{
    const bool reported = record->error[0] != 0;
    const char *why = is_changed(record) ? changed : NULL;
    if (record->owned && record->seekable && fsync(record->fd) != 0 && errno != EINVAL &&
        errno != ENOTSUP && errno != ENOSYS)
        why = strerror(errno);
    if (record->seekable && record->is_new && !record->is_begun && why == NULL)
        unlink(record->path);
    if (record->owned && close(record->fd) != 0 && why == NULL)
        why = strerror(errno);
    record_end_close(record->end);
    free(record->path);
    free(record);
    return why == NULL || reported || reason_set(ret_reason, REASON_INPUT, "%s", why);
}

/* The position of a reader of lines. */
struct place {
    const char *path, *text; /* of the whole file */
    size_t bytes;
    size_t number; /* of the line, from 1 on */
    bool begins;   /* a record does here */
    bool ended;    /* the line before was a summary, the verdict of a gate, or the end of one */
    bool is_open;  /* it was no end */
    bool is_gate;  /* it was the verdict of a gate, or its end */
    bool several;  /* records may follow each other */
    bool in_gate;  /* the record is of a gate, whose verdict comes last */
};

struct record_entry record_entry_of(const json_t *line)
{
    const struct form *kind = form_kind(&record_line_form, line);
    struct record_entry ret = {.line = line, .object = line};
    while (kind ? record_line_form.kinds[ret.kind] != kind : ret.kind < RECORD_KIND_COUNT)
        ret.kind++;
    if (kind && kind->fields->form->fields)
        ret.object = json_object_get(line, kind->fields->name);
    return ret;
}

static bool check_line(const struct place *at, const json_t *line, struct record_entry *ret,
                       struct reason *ret_reason)
{
    *ret = record_entry_of(line);
    const bool is_kind = ret->kind < RECORD_KIND_COUNT, is_gate = ret->kind == RECORD_gate,
               is_end = ret->kind == RECORD_end;
    if ((is_end && at->is_open) || (is_gate && at->several && at->ended && !at->is_gate))
        return true;
    if (at->ended && !at->begins)
        return reason_set(ret_reason, REASON_INPUT, "%s: line %zu: follows the end of the record%s",
                          at->path, at->number,
                          json_object_get(line, FIELD_KEY(header, record))
                              ? ": a second record; this command reads a file of one record"
                              : "");
    if (!is_kind || is_gate || is_end || ret->kind == RECORD_lines_of ||
        (ret->kind == RECORD_header) != at->begins)
        return reason_set(ret_reason, REASON_INPUT,
                          at->number == 1 ? "%s: line %zu: not an assay record"
                                          : "%s: line %zu: not a line of a record",
                          at->path, at->number);
    return true;
}

/* A record begins: whether this program reads it, and whether it is of a gate. */
static bool check_header(struct place *at, const json_t *line, struct reason *ret_reason)
{
    struct zone zone = {.blocks = NULL};
    const struct line_header *it = LINE_AS(header, line_read(&zone, RECORD_header, line));
    const bool is_ours = strcmp(it->record, "assay") == 0;
    const int64_t version = it->version;
    at->in_gate = it->parts.each != NULL;
    zone_free(&zone);
    if (!is_ours)
        return reason_set(ret_reason, REASON_INPUT, "%s: line %zu: not an assay record", at->path,
                          at->number);
    return version == RECORD_VERSION ||
           reason_set(ret_reason, REASON_INPUT,
                      "%s: line %zu: a record of version %lld; this assay reads version %d",
                      at->path, at->number, (long long)version, RECORD_VERSION);
}

/* Says of a line that is not JSON why the file is refused; true for one that a kill cut short: a
 * gate's file without a verdict is seen to be cut, another one without its next record is not. A
 * first line that is not JSON is another kind of file, of which the parser's words say nothing. */
static bool pass_cut(const struct place *at, const struct record_text *line,
                     const json_error_t *error, struct reason *ret_reason)
{
    const bool is_short = json_error_code(error) == json_error_out_of_memory;
    const bool is_cut = !line->has_newline && at->several && at->ended;
    /* Within a record, or likewise within its end. */
    if (!line->has_newline && at->number > 1 && (!at->ended || at->is_open))
        return true;
    if (is_cut && at->in_gate && !at->is_gate)
        return true;
    if (is_cut)
        reason_set(ret_reason, REASON_INPUT, "%s: line %zu: cut short", at->path, at->number);
    else if (at->number == 1 && !is_short)
        reason_set(ret_reason, REASON_INPUT,
                   "%s: line 1: not an assay record (not JSON): write one with -o", at->path);
    else
        reason_set(ret_reason, REASON_INPUT, "%s: line %zu: %s%.100s", at->path, at->number,
                   is_short ? "" : "not JSON: ", error->text);
    input_file_tame(ret_reason->text);
    return false;
}

/* Refuses the file; if the first line is to blame, says what kind of file it may be. */
static bool refuse(const struct place *at, struct reason *ret_reason)
{
    if (at->number == 1)
        file_sort_named(at->path, at->text, at->bytes, FILE_RECORD, ret_reason);
    return false;
}

/* Whoever gets the lines. */
struct reader {
    record_recaller *recall; /* NULL: every line is parsed */
    record_taker *take;
    void *context;
};

/* True for a line that begins or ends a record, or the lines of a part. */
static bool is_edge(const struct record_text *text)
{
    return record_text_begins(text, "{\"record\":") || record_text_begins(text, "{\"lines_of\":") ||
           record_text_begins(text, "{\"summary\":") || record_text_begins(text, "{\"gate\":") ||
           record_text_begins(text, "{\"end\":");
}

/* True for a line that a reader of many files has taken without parsing it: one that it recalls, or
 * an end, which record_ends_hold has compared with the lines before it. */
static bool is_recalled(const struct reader *reader, const struct place *at,
                        const struct record_text *text)
{
    static const struct record_entry end = {.kind = RECORD_end};
    if (reader->recall == NULL || !text->has_newline || (at->begins && !at->is_open))
        return false;
    if (at->is_open && record_text_begins(text, "{\"end\":"))
        reader->take(reader->context, &end);
    else if (at->ended || is_edge(text) ||
             !reader->recall(reader->context, text->text, text->bytes))
        return false;
    return true;
}

/* Takes the lines one after the other. */
static bool parse(struct place at, const struct record_order *order, const struct reader *reader,
                  struct reason *ret_reason)
{
    for (size_t index = 0; index < order->count; index++) {
        const struct record_text *text = &order->each[index];
        json_error_t error;
        const bool is_first = index == 0;
        at.number = text->number;
        /* The record before it may have been cut, if it is one of a gate's parts. */
        at.begins =
            is_first ||
            (at.several && (at.ended || (at.in_gate && record_text_begins(text, "{\"record\":"))));
        if (is_recalled(reader, &at, text)) {
            at.is_open = false; /* an end, which leaves the record ended */
            continue;
        }
        json_t *line = form_parse(text->text, text->bytes, 0, &error);
        if (line && !text->has_newline && !is_first && !at.ended) {
            json_decref(line); /* a kill cut this line short */
            continue;
        }
        if (line == NULL && !pass_cut(&at, text, &error, ret_reason))
            return refuse(&at, ret_reason);
        if (line == NULL)
            continue;
        struct record_entry entry;
        const bool good = check_line(&at, line, &entry, ret_reason) &&
                          (entry.kind != RECORD_header || check_header(&at, line, ret_reason));
        entry.text = text->text;
        entry.bytes = text->bytes;
        if (good)
            reader->take(reader->context, &entry);
        const bool is_end = entry.kind == RECORD_end;
        at.is_gate = entry.kind == RECORD_gate || (is_end && at.is_gate);
        at.is_open = entry.kind == RECORD_gate || entry.kind == RECORD_summary;
        at.ended = at.is_open || is_end;
        json_decref(line);
        if (!good)
            return refuse(&at, ret_reason);
    }
    return order->count > 0 || reason_set(ret_reason, REASON_INPUT, "%s: it is empty", at.path);
}

/* Whole lines are compared with the ends of their records before any is taken. */
static bool check_and_parse(const char *path, const char *text, size_t bytes, bool several,
                            const struct reader *reader, struct reason *ret_reason)
{
    const struct place at = {.path = path, .text = text, .bytes = bytes, .several = several};
    struct record_order order;
    record_order_open(&order, text, bytes);
    const bool good =
        record_ends_hold(path, &order, ret_reason) && parse(at, &order, reader, ret_reason);
    record_order_close(&order);
    return good;
}

/* `text` may be NULL: the file's. */
static bool read_lines(const char *path, const char *text, size_t bytes, bool several,
                       const struct reader *reader, struct reason *ret_reason)
{
    if (text)
        return check_and_parse(path, text, bytes, several, reader, ret_reason);
    char *own = input_read(INPUT_RECORD, path, &bytes, ret_reason);
    const bool good = own ? check_and_parse(path, own, bytes, several, reader, ret_reason)
                          : reason_before(ret_reason, "%s: cannot be read: ", path);
    free(own);
    return good;
}

bool record_read(const char *path, const char *text, size_t bytes, record_taker *take,
                 void *context, struct reason *ret_reason)
{
    const struct reader reader = {.take = take, .context = context};
    return read_lines(path, text, bytes, false, &reader, ret_reason);
}

bool records_read(const char *path, const char *text, size_t bytes, record_taker *take,
                  void *context, struct reason *ret_reason)
{
    const struct reader reader = {.take = take, .context = context};
    return read_lines(path, text, bytes, true, &reader, ret_reason);
}

bool records_recall(const char *path, const char *text, size_t bytes, record_recaller *recall,
                    record_taker *take, void *context, struct reason *ret_reason)
{
    const struct reader reader = {.recall = recall, .take = take, .context = context};
    return read_lines(path, text, bytes, true, &reader, ret_reason);
}
