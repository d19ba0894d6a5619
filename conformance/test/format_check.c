/* The formats of a report, checked (format_check.h). */
#include "conformance/test/format_check.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/test/page_check.h"
#include "conformance/test/xml.h"

char *format_write(enum report_format format, const struct loaded *loaded, bool unicode,
                   size_t *ret_bytes)
{
    struct written written;
    struct document document;
    written_open(&written);
    struct report report = {.file = written.file, .unicode = unicode};
    document_open(&document, loaded);
    reporters[format]->end(&report, &document);
    document_close(&document);
    char *text = written_close(&written);
    *ret_bytes = written.bytes;
    return text;
}

static bool complain(char *ret_why, const char *why)
{
    snprintf(ret_why, FORMAT_WHY_BYTES, "%.500s", why);
    return false;
}

/* Lines without a hidden character. */
static bool check_text(const char *text, size_t bytes, char *ret_why)
{
    for (size_t at = 0; at < bytes; at++)
        if ((unsigned char)text[at] < ' ' && text[at] != '\n')
            return complain(ret_why, "a control character");
    return true;
}

static bool check_page(const char *text, size_t bytes, char *ret_why)
{
    struct page_facts facts;
    return page_check(text, bytes, &facts, ret_why);
}

/* One line of at most 120 characters of ASCII. */
static bool check_line(const char *text, size_t bytes, char *ret_why)
{
    if (bytes < 2 || bytes > 121 || strchr(text, '\n') != text + bytes - 1)
        return complain(ret_why, "not one line of at most 120 characters");
    for (size_t at = 0; at + 1 < bytes; at++)
        if (text[at] < ' ' || text[at] > '~' || text[at] == '|')
            return complain(ret_why, "not printable ASCII without a vertical bar");
    return true;
}

/* The counts that a suite claims, less those that its cases show. */
struct suites {
    long left[4]; /* tests, failures, errors, skipped */
    size_t count;
    bool is_wrong;
    char element[16];
};

static bool is_name(const struct xml_event *event, const char *name)
{
    return event->name_bytes == strlen(name) && memcmp(event->name, name, event->name_bytes) == 0;
}

static void take_event(void *context, const struct xml_event *event)
{
    static const char *const attributes[] = {"tests", "failures", "errors", "skipped"},
                             *const children[] = {"testcase", "failure", "error", "skipped"};
    struct suites *suites = context;
    if (event->kind == XML_OPEN) {
        snprintf(suites->element, sizeof suites->element, "%.*s", (int)event->name_bytes,
                 event->name);
        suites->count += is_name(event, "testsuite");
    }
    for (size_t index = 0; index < 4; index++) {
        if (event->kind == XML_OPEN && is_name(event, children[index]))
            suites->left[index]--;
        if (event->kind == XML_ATTRIBUTE && strcmp(suites->element, "testsuite") == 0 &&
            is_name(event, attributes[index]))
            suites->left[index] = atol(event->value);
        if (event->kind == XML_CLOSE && is_name(event, "testsuite"))
            suites->is_wrong = suites->is_wrong || suites->left[index] != 0;
    }
}

static bool check_junit(const char *text, size_t bytes, char *ret_why)
{
    static const char first[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    struct suites suites = {.count = 0};
    char why[XML_WHY_BYTES];
    if (bytes < sizeof first || memcmp(text, first, sizeof first - 1) != 0)
        return complain(ret_why, "no XML declaration");
    text += sizeof first - 1, bytes -= sizeof first - 1;
    if (!xml_read(text, bytes, take_event, &suites, why))
        return complain(ret_why, why);
    if (suites.is_wrong || suites.count == 0)
        return complain(ret_why, "a suite's counts are not those of its cases");
    return true;
}

bool format_check(enum report_format format, const char *text, size_t bytes,
                  char ret_why[FORMAT_WHY_BYTES])
{
    static bool (*const checks[REPORT_FORMAT_COUNT])(const char *text, size_t bytes, char *ret) = {
        [REPORT_text] = check_text,
        [REPORT_page] = check_page,
        [REPORT_junit] = check_junit,
        [REPORT_line] = check_line,
    };
    return checks[format](text, bytes, ret_why);
}
