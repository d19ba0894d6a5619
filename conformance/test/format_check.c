/* The formats of a report, checked (format_check.h). */
#include "conformance/test/format_check.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/test/page_check.h"
#include "conformance/test/xml.h"

char *format_write_document(enum output_format format, const struct document *document,
                            bool unicode, size_t *ret_bytes)
{
    struct written written;
    written_open(&written);
    struct report report = {.file = written.file, .unicode = unicode};
    reporters[format]->end(&report, document);
    char *text = written_close(&written);
    *ret_bytes = written.bytes;
    return text;
}

char *format_write(enum output_format format, const struct loaded *loaded, bool unicode,
                   size_t *ret_bytes)
{
    struct document document;
    document_open(&document, loaded);
    char *text = format_write_document(format, &document, unicode, ret_bytes);
    document_close(&document);
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

/* One JSON object. */
static bool check_json(const char *text, size_t bytes, char *ret_why)
{
    json_error_t error;
    json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    const bool is_object = json_is_object(root);
    json_decref(root);
    return is_object || complain(ret_why, "not one JSON object");
}

/* `{name="text",...}`, a quote and a backslash after a backslash, or nothing, up to the blank. */
static bool are_labels(const char *at, const char *blank)
{
    if (*at != '{')
        return at == blank;
    for (at++; at < blank; at++) {
        at += strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
        if (strncmp(at, "=\"", 2) != 0)
            return false;
        for (at += 2; at < blank && *at != '"'; at++)
            if (*at == '\\' && *++at != '"' && *at != '\\')
                return false;
        if (*at != '"' || (at[1] != ',' && at[1] != '}'))
            return false;
        if (*++at == '}')
            return at + 1 == blank;
    }
    return false;
}

/* Lines of a comment or of a sample; no two samples have one name and the same labels, and exactly
 * one verdict is 1. What the names must be promtool says (formats.sh). */
static bool check_prometheus(const char *text, size_t bytes, char *ret_why)
{
    json_t *said = json_object();
    bool is_good = bytes > 0 && text[bytes - 1] == '\n';
    int verdicts = 0;
    for (const char *line = text; is_good && line < text + bytes; line = strchr(line, '\n') + 1) {
        const size_t letters = strcspn(line, "\n");
        const char *blank = memrchr(line, ' ', letters);
        char *end, *name = blank ? strndup(line, (size_t)(blank - line)) : NULL;
        verdicts += strncmp(line, "assay_verdict{", 14) == 0 && line[letters - 1] == '1';
        if (line[0] != '#')
            is_good = name && strncmp(name, "assay_", 6) == 0 &&
                      are_labels(line + strcspn(line, "{ "), blank) &&
                      json_object_get(said, name) == NULL &&
                      (strtod(blank + 1, &end), *end == '\n') &&
                      json_object_set_new(said, name, json_true()) == 0;
        if (!is_good)
            snprintf(ret_why, FORMAT_WHY_BYTES, "no sample, or one of twice: %.*s",
                     letters > 400 ? 400 : (int)letters, line);
        free(name);
    }
    json_decref(said);
    return is_good && (verdicts == 1 || complain(ret_why, "not exactly one verdict"));
}

/* Lines of results and comments; the last line is the plan, with the number of results. */
static bool check_tap(const char *text, size_t bytes, char *ret_why)
{
    long count = 0, planned = -1;
    for (const char *line = text; line < text + bytes; line = strchr(line, '\n') + 1) {
        const bool is_result = strncmp(line, "ok - ", 5) == 0 || strncmp(line, "not ok - ", 9) == 0;
        count += is_result;
        if (planned >= 0 ||
            (!is_result && strncmp(line, "# ", 2) != 0 && sscanf(line, "1..%ld\n", &planned) != 1))
            return complain(ret_why, "a line that is no result, comment or last plan");
    }
    return check_text(text, bytes, ret_why) &&
           ((planned == count && count > 0) || complain(ret_why, "not the lines that are planned"));
}

bool format_check(enum output_format format, const char *text, size_t bytes,
                  char ret_why[FORMAT_WHY_BYTES])
{
    static bool (*const checks[FORMAT_COUNT])(const char *text, size_t bytes, char *ret) = {
        [FORMAT_TEXT] = check_text,
        [FORMAT_TAP] = check_tap,
        [FORMAT_JSON] = check_json,
        [FORMAT_MARKDOWN] = check_text,
        [FORMAT_PROMETHEUS] = check_prometheus,
        [FORMAT_GCM] = check_json,
        [FORMAT_PAGE] = check_page,
        [FORMAT_JUNIT] = check_junit,
        [FORMAT_LINE] = check_line,
    };
    return checks[format](text, bytes, ret_why);
}
