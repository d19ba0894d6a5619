/* Writes the ends of records (ended.h). */
#include "conformance/test/ended.h"

#include <stdbool.h>
#include <string.h>

#include "conformance/record/record_end.h"
#include "conformance/record/record_fields.h"

static bool begins(const char *line, size_t bytes, const char *with)
{
    return bytes >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

char *ended_text(const char *text, size_t bytes, size_t *ret_bytes)
{
    struct record_end *end = record_end_open();
    struct written written;
    written_open(&written);
    for (const char *line = text, *next; line < text + bytes; line = next) {
        const char *newline = memchr(line, '\n', (size_t)(text + bytes - line));
        next = newline ? newline + 1 : text + bytes;
        const size_t length = (size_t)(next - line);
        const bool is_gate = begins(line, length, "{\"gate\":");
        if (begins(line, length, "{\"end\":"))
            continue;
        if (is_gate || begins(line, length, "{\"record\":"))
            json_decref(record_end_line(end)); /* the next record begins */
        fwrite(line, 1, length, written.file);
        record_end_add(end, line, length);
        if (newline && (is_gate || begins(line, length, "{\"summary\":"))) {
            json_t *last = record_end_line(end);
            json_dumpf(last, written.file, JSON_COMPACT);
            fputc('\n', written.file);
            json_decref(last);
        }
    }
    record_end_close(end);
    char *ended = written_close(&written);
    *ret_bytes = written.bytes;
    return ended;
}
