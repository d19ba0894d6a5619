/* Writes the ends of records (ended.h). */
#include "conformance/test/ended.h"

#include "conformance/record/record_end.h"
#include "conformance/record/record_fields.h"

char *ended_text(const char *text, size_t bytes, size_t *ret_bytes)
{
    struct record_end *end = record_end_open();
    struct record_order order;
    struct written written;
    written_open(&written);
    record_order_open(&order, text, bytes);
    for (size_t index = 0; index < order.count; index++) {
        const struct record_text *line = &order.each[index];
        const size_t length = line->bytes + line->has_newline;
        const bool is_gate = record_text_begins(line, "{\"gate\":");
        if (record_text_begins(line, "{\"end\":"))
            continue;
        if (is_gate || record_text_begins(line, "{\"record\":"))
            json_decref(record_end_line(end)); /* the next record begins */
        fwrite(line->text, 1, length, written.file);
        record_end_add(end, line->text, length);
        if (line->has_newline && (is_gate || record_text_begins(line, "{\"summary\":"))) {
            json_t *last = record_end_line(end);
            json_dumpf(last, written.file, JSON_COMPACT);
            fputc('\n', written.file);
            json_decref(last);
        }
    }
    record_order_close(&order);
    record_end_close(end);
    char *ended = written_close(&written);
    *ret_bytes = written.bytes;
    return ended;
}
