/* Checks a page (page_check.h). Clauses: report.html.whole, report.html.alone, report.figure.table,
 * report.figure.finite, report.figure.named, report.figure.narrow, report.html.phone. */
#include "conformance/test/page_check.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/test/xml.h"

struct checker {
    struct page_facts facts;
    bool in_style, in_chart;
    size_t figure_tables, chart_titles, wide;
    bool names_due, scope_due; /* of the element whose attributes are being read */
    bool hint_due;             /* a table of numbers, which may be wide, without the hint */
    bool in_scroll, has_hint;  /* since the last table */
    char *why;
    bool bad;
};

static void complain(struct checker *checker, const char *what, const char *text, size_t bytes)
{
    if (!checker->bad)
        snprintf(checker->why, PAGE_WHY_BYTES, "%s: %.*s", what, bytes > 120 ? 120 : (int)bytes,
                 text);
    checker->bad = true;
}

static bool is(const char *text, size_t bytes, const char *word)
{
    return strlen(word) == bytes && memcmp(text, word, bytes) == 0;
}

static bool contains(const struct xml_event *event, const char *word)
{
    return memmem(event->value, event->value_bytes, word, strlen(word)) != NULL;
}

/* After an element's last attribute: what it had to say of itself. */
static void settle(struct checker *checker)
{
    if (checker->names_due)
        complain(checker, "a drawing without a name", "svg", 3);
    if (checker->scope_due)
        complain(checker, "a heading without a scope", "th", 2);
    if (checker->hint_due)
        complain(checker, "a table that does not say that it scrolls", "table", 5);
    checker->names_due = checker->scope_due = checker->hint_due = false;
}

static void open_element(struct checker *checker, const struct xml_event *event)
{
    settle(checker);
    checker->names_due = is(event->name, event->name_bytes, "svg");
    checker->scope_due = is(event->name, event->name_bytes, "th");
    static const char *const foreign[] = {"script", "link",  "iframe", "object",       "embed",
                                          "img",    "image", "use",    "base",         "form",
                                          "audio",  "video", "source", "foreignObject"};
    for (size_t index = 0; index < sizeof foreign / sizeof foreign[0]; index++)
        if (is(event->name, event->name_bytes, foreign[index]))
            complain(checker, "an element that may fetch or run", event->name, event->name_bytes);
    if (is(event->name, event->name_bytes, "figure")) {
        checker->figure_tables = 0;
        checker->facts.figures++;
    }
    checker->in_style |= is(event->name, event->name_bytes, "style");
    bool table = is(event->name, event->name_bytes, "table");
    checker->facts.tables += table;
    checker->hint_due = table && !(checker->in_scroll && checker->has_hint);
    if (table)
        checker->in_scroll = checker->has_hint = false;
    checker->figure_tables += table;
    bool title = is(event->name, event->name_bytes, "title");
    checker->facts.tooltips += title;
    checker->chart_titles += title && checker->in_chart;
    checker->facts.findings += is(event->name, event->name_bytes, "article");
}

static void close_element(struct checker *checker, const struct xml_event *event)
{
    settle(checker);
    if (is(event->name, event->name_bytes, "style"))
        checker->in_style = false;
    if (is(event->name, event->name_bytes, "svg") && checker->in_chart) {
        if (checker->chart_titles == 0)
            complain(checker, "a drawing without tooltips", "svg", 3);
        checker->in_chart = false;
    }
    bool figure = is(event->name, event->name_bytes, "figure");
    if (figure && checker->wide > 0)
        complain(checker, "a drawing that is not made for a phone too", "figure", 6);
    if (figure && checker->figure_tables == 0)
        complain(checker, "a figure without a table", "figure", 6);
}

/* Numbers of a path, a place or a size: finite, and no further out than any drawing is wide. */
static void check_numbers(struct checker *checker, const struct xml_event *event)
{
    enum { FAR = 8192 };
    for (size_t at = 0; at < event->value_bytes;) {
        char *end;
        char letter = event->value[at];
        if (!isdigit((unsigned char)letter) && letter != '-' && letter != '.') {
            at++;
            continue;
        }
        double number = strtod(event->value + at, &end);
        if (!isfinite(number) || number > FAR || number < -FAR)
            complain(checker, "a coordinate far out", event->value, event->value_bytes);
        size_t next = (size_t)(end - event->value);
        at = next > at ? next : at + 1;
    }
    if (contains(event, "nan") || contains(event, "inf"))
        complain(checker, "a coordinate that is no number", event->value, event->value_bytes);
}

static void attribute(struct checker *checker, const struct xml_event *event)
{
    static const char *const places[] = {"d",     "x",      "y",         "cx",     "cy",
                                         "width", "height", "transform", "viewBox"};
    for (size_t index = 0; index < sizeof places / sizeof places[0]; index++)
        if (is(event->name, event->name_bytes, places[index]) && !contains(event, "device-width"))
            check_numbers(checker, event);
    if (event->name_bytes > 2 && memcmp(event->name, "on", 2) == 0)
        complain(checker, "an attribute that runs a script", event->name, event->name_bytes);
    bool address =
        is(event->name, event->name_bytes, "href") || is(event->name, event->name_bytes, "src") ||
        is(event->name, event->name_bytes, "style") || is(event->name, event->name_bytes, "action");
    if (address && (event->value_bytes == 0 || event->value[0] != '#'))
        complain(checker, "an address outside of the page", event->value, event->value_bytes);
    bool hidden = is(event->name, event->name_bytes, "aria-hidden");
    if (hidden || (is(event->name, event->name_bytes, "aria-label") && event->value_bytes > 0))
        checker->names_due = false;
    checker->scope_due &= !is(event->name, event->name_bytes, "scope");
    if (is(event->name, event->name_bytes, "class")) {
        checker->in_scroll |= is(event->value, event->value_bytes, "scroll");
        checker->has_hint |= is(event->value, event->value_bytes, "hint");
        checker->hint_due &= !contains(event, "pairs"); /* names and texts, which wrap */
        bool wide = is(event->value, event->value_bytes, "chart wide");
        bool chart = wide || is(event->value, event->value_bytes, "chart narrow");
        checker->facts.charts += wide;
        checker->wide += wide;
        checker->wide -= chart && !wide && checker->wide > 0;
        checker->in_chart |= chart;
        checker->chart_titles = chart ? 0 : checker->chart_titles;
        checker->facts.missing += is(event->value, event->value_bytes, "missing");
    }
}

static void text(struct checker *checker, const struct xml_event *event)
{
    settle(checker);
    if (checker->in_style && (contains(event, "@import") || contains(event, "url(")))
        complain(checker, "a style that fetches", event->value, event->value_bytes);
}

static void take(void *context, const struct xml_event *event)
{
    static void (*const takers[])(struct checker *, const struct xml_event *) = {
        [XML_OPEN] = open_element,
        [XML_ATTRIBUTE] = attribute,
        [XML_TEXT] = text,
        [XML_CLOSE] = close_element,
    };
    takers[event->kind](context, event);
}

bool page_check(const char *page, size_t bytes, struct page_facts *ret, char why[PAGE_WHY_BYTES])
{
    struct checker checker = {.why = why};
    char broken[XML_WHY_BYTES];
    why[0] = 0;
    if (!xml_read(page, bytes, take, &checker, broken)) {
        snprintf(why, PAGE_WHY_BYTES, "not well-formed: %s", broken);
        return false;
    }
    *ret = checker.facts;
    return !checker.bad;
}
