/* Writing and checking the end of a record (record_end.h). Clauses: record.end.written,
 * record.end.damaged. */
#include "conformance/record/record_end.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/record/lines.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { EACH_DIGITS = 4 };

struct record_end {
    XXH3_state_t *whole;
    uint16_t *each;
    size_t count;
};

static void begin(struct record_end *end)
{
    end->count = 0;
    XXH3_128bits_reset(end->whole);
}

struct record_end *record_end_open(void)
{
    struct record_end *end = heap_take(1, sizeof *end);
    end->whole = XXH3_createState();
    heap_need(end->whole);
    begin(end);
    return end;
}

void record_end_add(struct record_end *end, const char *line, size_t bytes)
{
    HEAP_ROOM(end->each, end->count);
    end->each[end->count++] = (uint16_t)XXH3_64bits(line, bytes);
    XXH3_128bits_update(end->whole, line, bytes);
}

static const char *whole_text(const struct record_end *end, char ret[33])
{
    const XXH128_hash_t hash = XXH3_128bits_digest(end->whole);
    snprintf(ret, 33, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    return ret;
}

static char *each_text(const struct record_end *end)
{
    char *text = heap_bytes(end->count * EACH_DIGITS + 1);
    for (size_t at = 0; at < end->count * EACH_DIGITS; at++)
        text[at] = "0123456789abcdef"[end->each[at / EACH_DIGITS] >>
                                          4 * (EACH_DIGITS - 1 - at % EACH_DIGITS) &
                                      15];
    text[end->count * EACH_DIGITS] = 0;
    return text;
}

static json_t *end_line(const struct record_end *end)
{
    struct zone zone = {.blocks = NULL};
    char whole[33], *each = each_text(end);
    json_t *line = line_json(
        LINE(&zone, end, .lines = end->count, .xxh3_128 = whole_text(end, whole), .each = each));
    free(each);
    zone_free(&zone);
    return line;
}

json_t *record_end_line(struct record_end *end)
{
    json_t *line = end_line(end);
    begin(end);
    return line;
}

/* True if the line is the end that this program would write of the lines before it: nearly every
 * end, which need not be parsed then. */
static bool is_own(const struct record_end *end, const struct record_text *line)
{
    json_t *own = end_line(end);
    char *text = json_dumps(own, VALUE_WRITTEN);
    json_decref(own);
    heap_need(text);
    const bool is_same = strlen(text) == line->bytes && memcmp(text, line->text, line->bytes) == 0;
    free(text);
    return is_same;
}

void record_end_close(struct record_end *end)
{
    if (end == NULL)
        return;
    XXH3_freeState(end->whole);
    free(end->each);
    free(end);
}

/* Refuses the file at that line, with what to do. */
static bool refuse(struct reason *ret_reason, const char *path, size_t number, const char *what)
{
    return reason_set(ret_reason, REASON_INPUT,
                      "%s: line %zu: damaged: %s: copy the record again, or make a new one", path,
                      number, what);
}

static const char itself[] = "it is not the end of the lines before it";

/* The digits of each line, or NULL if the line is no `end` that this program wrote. */
static const char *read_each(const struct line_end *it)
{
    const char *each = it->each;
    const uint64_t lines = it->lines;
    const size_t digits = strlen(each);
    const bool good = form_has_text(&form_digest, it->xxh3_128) && digits % EACH_DIGITS == 0 &&
                      digits / EACH_DIGITS == lines && strspn(each, "0123456789abcdef") == digits;
    return good ? each : NULL;
}

/* Compares the lines with what the `end` after them, `line`, says of them. */
static bool holds(const struct record_end *end, const struct line_end *it, const char *path,
                  const struct record_text *line, struct reason *ret_reason)
{
    const char *each = read_each(it);
    char whole[33], what[128], *own;
    if (each == NULL)
        return refuse(ret_reason, path, line->number, itself);
    const size_t written = strlen(each) / EACH_DIGITS;
    const size_t common = written < end->count ? written : end->count;
    const size_t apart = written > end->count ? written - common : end->count - common;
    size_t first = common, changed = 0;
    own = each_text(end);
    for (size_t index = common; index-- > 0;)
        if (memcmp(own + index * EACH_DIGITS, each + index * EACH_DIGITS, EACH_DIGITS) != 0) {
            first = index;
            changed++;
        }
    free(own);
    const bool is_whole = strcmp(whole_text(end, whole), it->xxh3_128) == 0;
    if (is_whole && apart == 0 && changed == 0)
        return true;
    if (is_whole || (apart == 0 && changed == 0))
        return refuse(ret_reason, path, line->number, itself);
    if (apart > 0)
        snprintf(what, sizeof what, "%s %s from here on", NUMBER_COUNT(apart, "line"),
                 written > end->count ? "missing" : "too many");
    else if (changed > 1)
        snprintf(what, sizeof what, "changed since it was written, as %s %s after it",
                 changed > 2 ? "were" : "was", NUMBER_COUNT(changed - 1, "line"));
    else
        snprintf(what, sizeof what, "changed since it was written");
    return refuse(ret_reason, path, (line - end->count + first)->number, what);
}

static const struct line_end *read_end(struct zone *zone, const json_t *line)
{
    return LINE_AS(end, line_read(zone, RECORD_end, json_object_get(line, form_end.name)));
}

bool record_ends_hold(const char *path, const struct record_order *order, struct reason *ret_reason)
{
    struct record_end *end = record_end_open();
    bool good = true, is_due = false; /* after a summary, or the verdict of a gate */
    for (size_t index = 0; good && index < order->count; index++) {
        const struct record_text *line = &order->each[index];
        const bool is_gate = record_text_begins(line, "{\"gate\":");
        const bool is_first = is_gate || record_text_begins(line, "{\"record\":");
        const bool is_end = record_text_begins(line, "{\"end\":");
        if (is_due && line->has_newline && !is_first && !is_end)
            good = refuse(ret_reason, path, line->number, itself);
        if (is_first)
            begin(end);
        is_due = is_gate || record_text_begins(line, "{\"summary\":");
        if (!is_end) {
            record_end_add(end, line->text, line->bytes + line->has_newline);
            continue;
        }
        if (good && is_own(end, line)) {
            begin(end);
            continue;
        }
        json_error_t error;
        json_t *it = form_parse(line->text, line->bytes, 0, &error);
        struct zone zone = {.blocks = NULL};
        if (good && (it || line->has_newline)) /* a kill cut the others short */
            good = holds(end, read_end(&zone, it), path, line, ret_reason);
        zone_free(&zone);
        json_decref(it);
        begin(end);
    }
    record_end_close(end);
    return good;
}
