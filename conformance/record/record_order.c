/* Sorting the lines of a file of records (record_order.h). Clauses: record.parts.marked,
 * record.parts.cut. */
#include "conformance/record/record_order.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/heap.h"
#include "conformance/record/lines.h"

/* A foreign file may name millions of parts, more than any command has, or have millions of lines
 * that are shorter than any of a record. */
enum { PARTS_MOST = 64, LINE_LEAST = 8, SHORTS_MOST = 1000 };

/* The lines of a record, or of the verdict of all parts. */
struct group {
    char part[64]; /* "": the record is of no part */
    size_t rank;   /* of the part among those of its command */
    struct record_text *lines;
    size_t count;
};

struct groups {
    struct group *each;
    size_t count;
    size_t first;   /* of this run or gate: a line may name its parts */
    size_t current; /* gets the next line */
};

/* Adds a group after those of its run or gate that come before it. */
static void add_group(struct groups *groups, const char *part, size_t rank)
{
    HEAP_ROOM(groups->each, groups->count);
    size_t at = groups->count++;
    for (; at > groups->first && groups->each[at - 1].rank > rank; at--)
        groups->each[at] = groups->each[at - 1];
    groups->each[groups->current = at] = (struct group){.rank = rank};
    snprintf(groups->each[at].part, sizeof groups->each[at].part, "%s", part);
}

/* A record begins: of no part, or of one of a run or a gate, which begins with it if it has that
 * part already, or more parts than any has. */
static void begin_record(struct groups *groups, const struct line_header *header)
{
    const char *part = header->part;
    size_t rank = 0;
    bool is_there = part[0] == 0 || groups->count - groups->first >= PARTS_MOST;
    for (size_t index = groups->first; index < groups->count; index++)
        is_there = is_there || strcmp(groups->each[index].part, part) == 0;
    if (is_there)
        groups->first = groups->count;
    while (rank < header->parts.count && strcmp(header->parts.each[rank], part) != 0)
        rank++;
    add_group(groups, part, rank);
}

static void add_line(struct groups *groups, const struct record_text *line)
{
    struct group *group = &groups->each[groups->current];
    HEAP_ROOM(group->lines, group->count);
    group->lines[group->count++] = *line;
}

/* The next lines are of the last record of that part. False if the part has no record. */
static bool go_on(struct groups *groups, const char *part)
{
    for (size_t index = groups->count; index-- > groups->first;)
        if (part[0] && strcmp(groups->each[index].part, part) == 0) {
            groups->current = index;
            return true;
        }
    return false;
}

/* Puts a line where it belongs. One that a kill cut short is of the last part that wrote. */
static void place(struct groups *groups, const struct record_text *line)
{
    const bool is_header = record_text_begins(line, "{\"record\":");
    const bool is_part = record_text_begins(line, "{\"lines_of\":");
    json_error_t error;
    json_t *it = is_header || is_part ? form_parse(line->text, line->bytes, 0, &error) : NULL;
    struct zone zone = {.blocks = NULL};
    const struct line *read =
        it ? line_read(&zone, is_part ? RECORD_lines_of : RECORD_header, it) : NULL;
    const bool goes_on = is_part && it && go_on(groups, LINE_AS(lines_of, read)->lines_of);
    if (is_header && it)
        begin_record(groups, LINE_AS(header, read));
    else if (record_text_begins(line, "{\"gate\":") && groups->count > groups->first) {
        groups->first = groups->count;
        add_group(groups, "", 0);
    }
    json_decref(it);
    zone_free(&zone);
    if (!goes_on)
        add_line(groups, line);
}

void record_order_open(struct record_order *ret, const char *text, size_t bytes)
{
    struct groups groups = {.each = NULL};
    struct record_text line = {.number = 1};
    add_group(&groups, "", 0); /* of what comes before the first header, which a reader refuses */
    groups.first = 1;
    *ret = (struct record_order){.each = NULL};
    size_t shorts = 0;
    for (size_t from = 0; shorts < SHORTS_MOST && from < bytes;
         from += line.bytes + 1, line.number++) {
        const char *newline = memchr(text + from, '\n', bytes - from);
        line.text = text + from;
        line.bytes = newline ? (size_t)(newline - line.text) : bytes - from;
        line.has_newline = newline != NULL;
        place(&groups, &line);
        shorts += line.bytes < LINE_LEAST; /* a reader refuses the file at the first */
    }
    for (size_t group = 0; group < groups.count; group++) {
        for (size_t index = 0; index < groups.each[group].count; index++) {
            HEAP_ROOM(ret->each, ret->count);
            ret->each[ret->count++] = groups.each[group].lines[index];
        }
        free(groups.each[group].lines);
    }
    free(groups.each);
}

void record_order_close(struct record_order *order)
{
    free(order->each);
    *order = (struct record_order){.each = NULL};
}
