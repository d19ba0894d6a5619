/* Any bytes as a record: refused with one printable line, or read; and what is read stays readable
 * when the end is cut off after any line. A line that needs no parser is what a parser makes of it.
 */
#include <string.h>

#include "conformance/record/line_scan.h"
#include "conformance/record/record.h"
#include "fuzz/targets/target.h"

static void count_line(void *context, const struct record_entry *entry)
{
    struct zone zone = {.blocks = NULL};
    const struct line *scanned = line_scan(&zone, entry->text, entry->bytes);
    MUST(json_is_object(entry->object));
    if (scanned) {
        json_t *left = line_json(scanned),
               *right = line_json(line_read(&zone, entry->kind, entry->object));
        MUST(scanned->kind == entry->kind && json_equal(left, right));
        json_decref(left);
        json_decref(right);
    }
    zone_free(&zone);
    ++*(size_t *)context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct reason reason = {.text = ""};
    size_t lines = 0;
    const char *text = (const char *)data;
    if (!record_read("r", text, bytes, count_line, &lines, &reason)) {
        MUST(strncmp(reason.text, "r: ", 3) == 0 && reason.text[3] != 0);
        for (const char *letter = reason.text; *letter; letter++)
            MUST((unsigned char)*letter >= ' ' && *letter != 0x7f);
        return 0;
    }
    MUST(lines > 0);
    const char *end = memchr(text, '\n', bytes);
    for (size_t whole = 1; end != NULL && whole <= lines && whole < 8; whole++) {
        size_t cut = (size_t)(end - text) + 1, counted = 0;
        MUST(record_read("r", text, cut, count_line, &counted, &reason));
        MUST(counted == whole);
        end = memchr(text + cut, '\n', bytes - cut);
    }
    return 0;
}
