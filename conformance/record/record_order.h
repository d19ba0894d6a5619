/* The lines of a file of records, those of each record together. The parts of a run or a gate run
 * at once and their lines reach the file as they come; where the next line is of another part than
 * the one before it, a line says so:
 *
 *     {"record":"assay",...,"part":"bits"}        the record of part bits begins
 *     {"record":"assay",...,"part":"code"}        that of part code
 *     {"codegen":{...}}                           of part code
 *     {"lines_of":"bits"}
 *     {"finding":"FAIL",...}                      of part bits
 *
 * Everything that reads records takes the lines from here:
 *
 *     struct record_order order;
 *     record_order_open(&order, text, bytes);
 *     for (size_t index = 0; index < order.count; index++)
 *         order.each[index] ...
 *     record_order_close(&order);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* One line, in the bytes of the file. */
struct record_text {
    const char *text;
    size_t bytes;     /* without its newline */
    size_t number;    /* in the file, from 1 on */
    bool has_newline; /* false: the last of the file, which a kill may have cut short */
};

/* Records follow each other in the order of their first lines, those of one run or gate in that of
 * its parts, and the verdict of all parts follows the last of them. Lines `lines_of` are left out,
 * except one that names no record: a reader refuses it by its number. */
struct record_order {
    struct record_text *each;
    size_t count;
};

void record_order_open(struct record_order *ret, const char *text, size_t bytes);
void record_order_close(struct record_order *order);

/* True if the line begins with these bytes: `{"record":`, since each kind has its name there. */
static inline bool record_text_begins(const struct record_text *line, const char *with)
{
    return line->bytes >= strlen(with) && memcmp(line->text, with, strlen(with)) == 0;
}
