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
#include "conformance/record/file_sort.h"
#include "conformance/record/record_end.h"
#include "conformance/record/record_fields.h"

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

const json_t *verdict_counts_raw(const json_t *object, enum verdict verdict)
{
    return json_object_get(object, count_keys[verdict]);
}

bool verdict_counts_read(const json_t *object, uint64_t ret_counts[VERDICT_COUNT])
{
    bool good = raw_counts_passed(object) != NULL;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        const json_t *value = verdict_counts_raw(object, (enum verdict)verdict);
        json_int_t count = json_integer_value(value);
        good = good && (value == NULL || (json_is_integer(value) && count >= 0));
        ret_counts[verdict] = count > 0 ? (uint64_t)count : 0;
    }
    return good;
}

void verdict_counts_write(json_t *object, enum verdict verdict, uint64_t count)
{
    json_object_set_new(object, count_keys[verdict], json_integer((json_int_t)count));
}

struct record {
    int fd;
    bool owned;
    bool seekable;
    off_t whole; /* where the last whole line ends */
    struct record_end *end;
    char error[256];
};

/* The record that was opened or, where something is not as it must be, NULL. */
static struct record *keep(struct record it, bool good)
{
    struct record *record = NULL;
    if (good) {
        record = heap_take(1, sizeof *record);
        *record = it;
        record->end = record_end_open();
    } else if (it.owned && it.fd >= 0) {
        close(it.fd);
    }
    return record;
}

struct record *record_create(const char *path, struct reason *ret_reason)
{
    struct record it = {.fd = STDOUT_FILENO, .owned = strcmp(path, "-") != 0};
    struct stat status;
    if (!it.owned)
        return keep(it, true);
    it.fd = file_open_output(path, O_WRONLY | O_CREAT, ret_reason);
    it.seekable = it.fd >= 0 && fstat(it.fd, &status) == 0 && S_ISREG(status.st_mode);
    /* The file's contents go only once nobody else writes it. */
    bool good = it.fd >= 0 && file_hold(it.fd, path, ret_reason);
    if (good && it.seekable && ftruncate(it.fd, 0) != 0)
        good = reason_set(ret_reason, REASON_INPUT, "%s: cannot be written: %s", path,
                          strerror(errno));
    return keep(it, good);
}

struct record *record_append(const char *path, struct reason *ret_reason)
{
    struct record it = {.owned = true, .seekable = true};
    struct stat status;
    it.fd = open(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
    const bool is_file = it.fd >= 0 ? fstat(it.fd, &status) == 0 && S_ISREG(status.st_mode)
                                    : errno != EISDIR && errno != ENXIO;
    bool good = false;
    if (!is_file)
        reason_set(ret_reason, REASON_INPUT, "%s: cannot be written: not a regular file", path);
    else if (it.fd < 0)
        reason_set(ret_reason, reason_of_errno(errno), "%s: cannot be written: %s", path,
                   file_reason(errno));
    else
        good = file_hold(it.fd, path, ret_reason);
    it.whole = good ? lseek(it.fd, 0, SEEK_END) : 0;
    return keep(it, good);
}

static const char shortened[] = "another program has shortened it";

static bool is_shortened(const struct record *record)
{
    struct stat status;
    return record->seekable && fstat(record->fd, &status) == 0 && status.st_size < record->whole;
}

/* Cuts off the part of a line that a failed write left. */
static bool give_up(struct record *record, const char *why)
{
    snprintf(record->error, sizeof record->error, "%s", why);
    if (record->seekable && ftruncate(record->fd, record->whole) != 0)
        return false;
    return false;
}

static bool write_line(struct record *record, json_t *line)
{
    /* ASCII alone: a record that is shown in a terminal is not obeyed by it. */
    char *text = json_dumps(line, JSON_COMPACT | JSON_ENSURE_ASCII);
    json_decref(line);
    heap_need(text);
    size_t bytes = strlen(text);
    text[bytes++] = '\n'; /* in the place of its 0 */
    if (record->error[0] == 0 && is_shortened(record))
        snprintf(record->error, sizeof record->error, "%s", shortened);
    if (record->error[0] == 0 && !output_write(record->fd, text, bytes))
        give_up(record, errno == EINTR ? "its reader stopped reading" : strerror(errno));
    if (record->error[0] == 0) {
        record->whole += (off_t)bytes;
        record_end_add(record->end, text, bytes);
    }
    free(text);
    return record->error[0] == 0;
}

bool record_line(struct record *record, json_t *line)
{
    const bool is_last = line_summary(line) || line_gate(line);
    return write_line(record, line) &&
           (!is_last || write_line(record, record_end_line(record->end)));
}

const char *record_error(const struct record *record)
{
    return record->error[0] ? record->error : NULL;
}

bool record_close(struct record *record, struct reason *ret_reason)
{
    const bool reported = record->error[0] != 0;
    const char *why = is_shortened(record) ? shortened : NULL;
    if (record->owned && record->seekable && fsync(record->fd) != 0 && errno != EINVAL &&
        errno != ENOTSUP && errno != ENOSYS)
        why = strerror(errno);
    if (record->owned && close(record->fd) != 0 && why == NULL)
        why = strerror(errno);
    record_end_close(record->end);
    free(record);
    return why == NULL || reported || reason_set(ret_reason, REASON_INPUT, "%s", why);
}

/* The position of a reader of lines. */
struct place {
    const char *path;
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
                          raw_header_record(line)
                              ? ": a second record; this command reads a file of one record"
                              : "");
    if (!is_kind || is_gate || is_end || (ret->kind == RECORD_header) != at->begins)
        return reason_set(ret_reason, REASON_INPUT,
                          at->number == 1 ? "%s: line %zu: not an assay record"
                                          : "%s: line %zu: not a line of a record",
                          at->path, at->number);
    if (at->begins && strcmp(field_header_record(line), "assay") != 0)
        return reason_set(ret_reason, REASON_INPUT, "%s: line %zu: not an assay record", at->path,
                          at->number);
    const int64_t version = field_header_version(line);
    return !at->begins || version == RECORD_VERSION ||
           reason_set(ret_reason, REASON_INPUT,
                      "%s: line %zu: a record of version %lld; this assay reads version %d",
                      at->path, at->number, (long long)version, RECORD_VERSION);
}

static bool parse(const char *path, const char *text, size_t bytes, bool several,
                  record_taker *take, void *context, struct reason *ret_reason)
{
    struct place at = {.path = path, .several = several};
    for (size_t from = 0; from < bytes;) {
        const char *end = memchr(text + from, '\n', bytes - from);
        if (end == NULL && at.number > 0 && !at.ended)
            return true; /* a kill cut this line short */
        size_t length = end ? (size_t)(end - text) - from : bytes - from;
        json_error_t error;
        json_t *line = form_parse(text + from, length, 0, &error);
        at.begins = at.number == 0 || (several && at.ended);
        at.number++;
        if (line == NULL && end == NULL && at.is_open)
            return true; /* likewise, the end of the record */
        if (line == NULL) {
            /* A kill cut it short: a gate's file without a verdict is seen to be cut, another one
             * without its next record is not. A first line that is not JSON is another kind of
             * file, of which the parser's words say nothing. */
            const bool is_cut = end == NULL && several && at.ended;
            if (is_cut && at.in_gate && !at.is_gate)
                return true;
            if (is_cut)
                reason_set(ret_reason, REASON_INPUT, "%s: line %zu: cut short", path, at.number);
            else if (at.number == 1 && json_error_code(&error) != json_error_out_of_memory)
                reason_set(ret_reason, REASON_INPUT,
                           "%s: line 1: not an assay record (not JSON): write one with -o", path);
            else
                reason_set(ret_reason, REASON_INPUT, "%s: line %zu: %s%.100s", path, at.number,
                           json_error_code(&error) == json_error_out_of_memory ? "" : "not JSON: ",
                           error.text);
            input_file_tame(ret_reason->text);
            if (at.number == 1)
                file_sort_named(path, text, bytes, FILE_RECORD, ret_reason);
            return false;
        }
        struct record_entry entry;
        bool good = check_line(&at, line, &entry, ret_reason);
        if (good)
            take(context, &entry);
        if (entry.kind == RECORD_header)
            at.in_gate = json_is_array(field_header_parts(line));
        const bool is_end = entry.kind == RECORD_end;
        at.is_gate = entry.kind == RECORD_gate || (is_end && at.is_gate);
        at.is_open = entry.kind == RECORD_gate || entry.kind == RECORD_summary;
        at.ended = at.is_open || is_end;
        json_decref(line);
        if (!good && at.number == 1)
            file_sort_named(path, text, bytes, FILE_RECORD, ret_reason);
        if (!good)
            return false;
        from += length + 1;
    }
    if (at.number == 0)
        reason_set(ret_reason, REASON_INPUT, "%s: it is empty", path);
    return at.number > 0;
}

/* Whole lines are compared with the ends of their records before any is taken. */
static bool check_and_parse(const char *path, const char *text, size_t bytes, bool several,
                            record_taker *take, void *context, struct reason *ret_reason)
{
    return record_ends_hold(path, text, bytes, ret_reason) &&
           parse(path, text, bytes, several, take, context, ret_reason);
}

/* `text` may be NULL: the file's. */
static bool read_lines(const char *path, const char *text, size_t bytes, bool several,
                       record_taker *take, void *context, struct reason *ret_reason)
{
    if (text)
        return check_and_parse(path, text, bytes, several, take, context, ret_reason);
    char *own = input_read(INPUT_RECORD, path, &bytes, ret_reason);
    const bool good = own ? check_and_parse(path, own, bytes, several, take, context, ret_reason)
                          : reason_before(ret_reason, "%s: cannot be read: ", path);
    free(own);
    return good;
}

bool record_read(const char *path, const char *text, size_t bytes, record_taker *take,
                 void *context, struct reason *ret_reason)
{
    return read_lines(path, text, bytes, false, take, context, ret_reason);
}

bool records_read(const char *path, const char *text, size_t bytes, record_taker *take,
                  void *context, struct reason *ret_reason)
{
    return read_lines(path, text, bytes, true, take, context, ret_reason);
}
