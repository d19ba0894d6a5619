/* Makes reports of records in memory (reporting.h). */
#include "conformance/test/reporting.h"
#include "conformance/report/page_html.h"
#include "conformance/report/terminal.h"
#include "conformance/test/made_pair.h"

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

char *reporting_page(const char *record, struct page_facts *ret_facts)
{
    char why[PAGE_WHY_BYTES];
    struct page_facts facts;
    FILE *file = testing_stream();
    struct loaded *loaded = reporting_loaded(record);
    page_write(file, loaded);
    const size_t bytes = (size_t)ftell(file);
    char *page = testing_text(file);
    ck_assert_msg(page_check(page, bytes, ret_facts ? ret_facts : &facts, why), "%s", why);
    return page;
}

char *reporting_text(const char *record, bool unicode)
{
    FILE *file = testing_stream();
    terminal_write(file, reporting_loaded(record), unicode);
    return testing_text(file);
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
