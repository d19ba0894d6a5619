/* Makes reports of records in memory (reporting.h). */
#include "conformance/test/reporting.h"
#include "conformance/base/reason.h"

#include <stdlib.h>
#include <string.h>

static struct loaded *read_record(const char *record)
{
    struct reason reason = {.text = ""};
    struct loaded *loaded = calloc(1, sizeof *loaded);
    ck_assert_msg(loaded_parse(loaded, "r.json", record, strlen(record), &reason), "%s",
                  reason.text);
    return loaded;
}

char *reporting_page(const char *record, struct page_facts *ret_facts)
{
    struct loaded *loaded = read_record(record);
    char *text = NULL, why[PAGE_WHY_BYTES];
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    page_write(file, loaded);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_msg(page_check(text, bytes, ret_facts, why), "%s", why);
    loaded_close(loaded);
    free(loaded);
    return text;
}

char *reporting_text(const char *record, bool unicode)
{
    struct loaded *loaded = read_record(record);
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    terminal_write(file, loaded, unicode);
    ck_assert_int_eq(fclose(file), 0);
    loaded_close(loaded);
    free(loaded);
    return text;
}

void reporting_has(const char *record, const char *const *words)
{
    struct page_facts facts;
    char *page = reporting_page(record, &facts), *text = reporting_text(record, true);
    for (size_t index = 0; words[index]; index++) {
        ASSERT_HAS(page, words[index]);
        ASSERT_HAS(text, words[index]);
    }
    free(page);
    free(text);
}

void reporting_page_has(const char *record, const char *const *words)
{
    struct page_facts facts;
    char *page = reporting_page(record, &facts);
    for (size_t index = 0; words[index]; index++)
        ASSERT_HAS(page, words[index]);
    free(page);
}
