/* Makes reports of records in memory (reporting.h). */
#include "conformance/test/reporting.h"
#include "conformance/base/reason.h"

#include <stdlib.h>
#include <string.h>

static struct dossier *read_record(const char *record)
{
    struct reason reason = {.text = ""};
    struct dossier *dossier = calloc(1, sizeof *dossier);
    ck_assert_msg(dossier_parse(dossier, "r.json", record, strlen(record), &reason), "%s",
                  reason.text);
    return dossier;
}

char *reporting_page(const char *record, struct page_facts *ret_facts)
{
    struct dossier *dossier = read_record(record);
    char *text = NULL, why[PAGE_WHY_BYTES];
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    ck_assert(page_write(file, dossier));
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_msg(page_check(text, bytes, ret_facts, why), "%s", why);
    dossier_close(dossier);
    free(dossier);
    return text;
}

char *reporting_text(const char *record, bool unicode)
{
    struct dossier *dossier = read_record(record);
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    ck_assert(terminal_write(file, dossier, unicode));
    ck_assert_int_eq(fclose(file), 0);
    dossier_close(dossier);
    free(dossier);
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
