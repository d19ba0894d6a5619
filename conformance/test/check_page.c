/* Holds a page against what must be true of every page, and against the records that it is of:
 * check_page PAGE RECORD... prints what is wrong, and is silent where nothing is. */
#include "conformance/record/record.h"
#include "conformance/record/record_fields.h"
#include "conformance/test/page_check.h"
#include "spec/testing.h"

struct page {
    char *text;
    size_t missing;
};

static void need(struct page *page, const char *word)
{
    if (word[0] == 0 || strstr(page->text, word))
        return;
    printf("'%s' is not in the page\n", word);
    page->missing++;
}

/* Names that a record has are in the page: its kernels, paths and digests. */
static void take_line(void *context, const struct record_entry *entry)
{
    static const char *const keys[] = {"kernels", "paths"};
    struct page *page = context;
    const json_t *value;
    size_t index;
    for (size_t key = 0; key < sizeof keys / sizeof keys[0]; key++)
        json_array_foreach(json_object_get(entry->line, keys[key]), index, value) {
            need(page, json_string_value(value));
        }
    if (entry->kind != RECORD_bits)
        return;
    struct zone zone = {.blocks = NULL};
    const struct line_bits *bits = LINE_AS(bits, line_read(&zone, RECORD_bits, entry->object));
    need(page, bits->subject.kernel);
    need(page, bits->subject.path);
    need(page, bits->xxh3_128);
    zone_free(&zone);
}

int main(int argc, char **argv)
{
    CLAUSE("report.html.rows");
    struct page page = {0};
    struct page_facts facts;
    struct reason reason = {.text = ""};
    size_t capacity = (size_t)64 << 20;
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    page.text = calloc(1, capacity);
    if (file == NULL || page.text == NULL)
        return 2;
    size_t bytes = fread(page.text, 1, capacity - 1, file);
    fclose(file);
    bool good = page_check(page.text, bytes, &facts, reason.text);
    if (!good)
        printf("%s: %s\n", argv[1], reason.text);
    for (int index = 2; good && index < argc; index++) {
        good = record_read(argv[index], NULL, 0, take_line, &page, &reason);
        if (!good)
            printf("%s\n", reason.text);
    }
    free(page.text);
    return good && page.missing == 0 ? 0 : 1;
}
