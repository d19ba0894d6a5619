/* Any bytes as a page of the specification: every item lies inside the text, and reading
 * terminates. */
#include <string.h>

#include "fuzz/targets/target.h"
#include "spec/page.h"

static void must_lie_in(struct page_text piece, const char *text, size_t bytes)
{
    if (piece.bytes > 0)
        MUST(piece.start >= text && piece.start + piece.bytes <= text + bytes);
}

static void check_item(const struct page_item *item, const char *text, size_t bytes)
{
    MUST(item->line >= 1);
    if (item->kind == PAGE_BAD) {
        MUST(item->message != NULL && item->message[0] != 0);
        return;
    }
    size_t id_bytes;
    must_lie_in(item->clause, text, bytes);
    MUST(page_parts(item->clause, &id_bytes) == 3 && id_bytes == item->clause.bytes);
    if (item->kind == PAGE_CLAUSE) {
        must_lie_in(item->sentence, text, bytes);
        must_lie_in(item->sources, text, bytes);
        return;
    }
    must_lie_in(item->case_line, text, bytes);
    MUST(item->operand_count >= 0 && item->operand_count <= PAGE_OPERANDS_MAX);
    for (int index = 0; index < item->operand_count; index++) {
        must_lie_in(item->operands[index].name, text, bytes);
        must_lie_in(item->operands[index].values, text, bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const char *text = (const char *)data;
    struct page_reader reader;
    struct page_item item;
    page_open(&reader, text, bytes);
    size_t items = 0;
    while (page_next(&reader, &item) != PAGE_END) {
        check_item(&item, text, bytes);
        MUST(++items <= bytes + 1);
    }
    MUST(page_next(&reader, &item) == PAGE_END);
    return 0;
}
