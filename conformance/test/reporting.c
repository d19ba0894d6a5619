/* Makes reports of records in memory (reporting.h). */
#include "conformance/test/reporting.h"
#include "conformance/report/page.h"
#include "conformance/report/terminal.h"
#include "conformance/test/made_pair.h"

#include <stdlib.h>
#include <string.h>

struct loaded *reporting_loaded(const char *record)
{
    struct loaded *loaded = made_loaded();
    made_loaded_add(loaded, "r.json", record);
    return loaded;
}

enum verdict reporting_verdict(const char *text, char reason[ASSESSMENT_REASON_BYTES])
{
    struct assessment assessment = {.verdict = VERDICT_ERROR};
    struct loaded *loaded = made_loaded();
    struct reason refused;
    if (loaded_parse(loaded, "r", text, strlen(text), &refused))
        assess_records(loaded, &assessment);
    else
        snprintf(assessment.reason, sizeof assessment.reason, "%s", refused.text);
    strcpy(reason, assessment.reason);
    return assessment.verdict;
}

char *reporting_write(enum output_format format, const struct loaded *loaded, bool unicode)
{
    char why[FORMAT_WHY_BYTES];
    size_t bytes;
    char *text = format_write(format, loaded, unicode, &bytes);
    ck_assert_msg(format_check(format, text, bytes, why), "%s: %s", reporters[format]->name, why);
    FILE *file = testing_stream();
    fwrite(text, 1, bytes, file);
    free(text);
    return testing_text(file);
}

char *reporting_page(const char *record, struct page_facts *ret_facts)
{
    char why[PAGE_WHY_BYTES];
    char *page = reporting_write(FORMAT_PAGE, reporting_loaded(record), true);
    if (ret_facts)
        ck_assert(page_check(page, strlen(page), ret_facts, why));
    for (int format = 0; format < FORMAT_COUNT; format++)
        reporting_write((enum output_format)format, reporting_loaded(record), true);
    return page;
}

char *reporting_text(const char *record, bool unicode)
{
    return reporting_write(FORMAT_TEXT, reporting_loaded(record), unicode);
}

void reporting_has(const char *record, const char *const *words)
{
    char *page = reporting_page(record, NULL), *text = reporting_text(record, true);
    for (size_t index = 0; words[index]; index++) {
        ASSERT_HAS(page, words[index]);
        ASSERT_HAS(text, words[index]);
    }
}

void reporting_page_has(const char *record, const char *const *words)
{
    char *page = reporting_page(record, NULL);
    for (size_t index = 0; words[index]; index++)
        ASSERT_HAS(page, words[index]);
}
