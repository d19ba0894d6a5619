/* Reads XML strictly (xml.h). Clause: report.html.whole. */
#include "conformance/test/xml.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 64, ATTRIBUTES_MAX = 32 };

struct span {
    const char *start;
    size_t bytes;
};

struct reader {
    const char *start, *at, *end;
    xml_taker *take;
    void *context;
    char *why;
    struct span open[DEPTH_MAX];
    int depth;
};

static bool refuse(struct reader *reader, const char *what)
{
    size_t line = 1;
    for (const char *at = reader->start; at < reader->at; at++)
        line += *at == '\n';
    snprintf(reader->why, XML_WHY_BYTES, "line %zu: %s: %.40s", line, what, reader->at);
    return false;
}

static bool is_name(char letter, bool first)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
           (!first && ((letter >= '0' && letter <= '9') || letter == '-' || letter == ':'));
}

static struct span read_name(struct reader *reader)
{
    struct span name = {reader->at, 0};
    while (reader->at < reader->end && is_name(*reader->at, name.bytes == 0)) {
        reader->at++;
        name.bytes++;
    }
    return name;
}

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at)
        reader->at++;
}

/* &name; or &#number; of a character that XML allows. */
static bool read_reference(struct reader *reader)
{
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#39;"};
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
        size_t bytes = strlen(names[index]);
        if ((size_t)(reader->end - reader->at) < bytes ||
            strncmp(reader->at, names[index], bytes) != 0)
            continue;
        reader->at += bytes;
        return true;
    }
    return refuse(reader, "a reference that is none");
}

/* One character of UTF-8 that XML allows. */
static bool read_letter(struct reader *reader)
{
    const unsigned char *at = (const unsigned char *)reader->at;
    int more = at[0] < 0x80 ? 0 : at[0] < 0xc2 ? -1 : at[0] < 0xe0 ? 1 : at[0] < 0xf0 ? 2 : 3;
    if (more < 0 || at[0] > 0xf4 || reader->end - reader->at <= more)
        return refuse(reader, "no UTF-8");
    uint32_t code = more == 0 ? at[0] : at[0] & (0x3fu >> more);
    for (int index = 1; index <= more; index++) {
        if ((at[index] & 0xc0) != 0x80)
            return refuse(reader, "no UTF-8");
        code = code << 6 | (at[index] & 0x3fu);
    }
    bool long_form = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
    bool allowed = code >= 0x20 ? code < 0xd800 || (code >= 0xe000 && code < 0xfffe) ||
                                      (code > 0xffff && code <= 0x10ffff)
                                : code == '\n' || code == '\t';
    if (long_form || !allowed)
        return refuse(reader, "a character that XML does not have");
    reader->at += more + 1;
    return true;
}

/* Text up to `stop`, that holds no markup. */
static bool read_text(struct reader *reader, char stop, struct span *ret)
{
    ret->start = reader->at;
    while (reader->at < reader->end && *reader->at != stop) {
        if (*reader->at == '<')
            return refuse(reader, "markup in text");
        if (!(*reader->at == '&' ? read_reference(reader) : read_letter(reader)))
            return false;
    }
    ret->bytes = (size_t)(reader->at - ret->start);
    return true;
}

static void tell(struct reader *reader, enum xml_kind kind, struct span name, struct span value)
{
    struct xml_event event = {.kind = kind,
                              .name = name.start,
                              .value = value.start,
                              .name_bytes = name.bytes,
                              .value_bytes = value.bytes};
    reader->take(reader->context, &event);
}

static bool same(struct span left, struct span right)
{
    return left.bytes == right.bytes && memcmp(left.start, right.start, left.bytes) == 0;
}

static bool read_attributes(struct reader *reader)
{
    struct span seen[ATTRIBUTES_MAX], value = {0};
    for (int count = 0;; count++) {
        const char *before = reader->at;
        skip_space(reader);
        if (reader->at == reader->end || *reader->at == '>' || *reader->at == '/')
            return true;
        struct span name = read_name(reader);
        if (name.bytes == 0 || before == name.start || count == ATTRIBUTES_MAX)
            return refuse(reader, "an attribute is expected");
        for (int index = 0; index < count; index++)
            if (same(seen[index], name))
                return refuse(reader, "an attribute twice");
        seen[count] = name;
        if (reader->end - reader->at < 2 || reader->at[0] != '=' || reader->at[1] != '"')
            return refuse(reader, "=\" is expected");
        reader->at += 2;
        if (!read_text(reader, '"', &value))
            return false;
        if (reader->at++ == reader->end)
            return refuse(reader, "an attribute does not end");
        tell(reader, XML_ATTRIBUTE, name, value);
    }
}

static bool read_close(struct reader *reader)
{
    reader->at += 2;
    struct span name = read_name(reader);
    if (reader->depth == 0 || !same(reader->open[reader->depth - 1], name))
        return refuse(reader, "closes what is not open");
    skip_space(reader);
    if (reader->at == reader->end || *reader->at != '>')
        return refuse(reader, "> is expected");
    reader->at++;
    reader->depth--;
    tell(reader, XML_CLOSE, name, (struct span){0});
    return true;
}

static bool read_open(struct reader *reader)
{
    reader->at++;
    struct span name = read_name(reader);
    if (name.bytes == 0 || reader->depth == DEPTH_MAX)
        return refuse(reader, "an element's name is expected");
    tell(reader, XML_OPEN, name, (struct span){0});
    if (!read_attributes(reader))
        return false;
    bool empty = reader->at < reader->end && *reader->at == '/';
    reader->at += empty;
    if (reader->at == reader->end || *reader->at != '>')
        return refuse(reader, "> is expected");
    reader->at++;
    if (empty)
        tell(reader, XML_CLOSE, name, (struct span){0});
    else
        reader->open[reader->depth++] = name;
    return true;
}

bool xml_read(const char *text, size_t bytes, xml_taker *take, void *context,
              char why[XML_WHY_BYTES])
{
    static const char doctype[] = "<!DOCTYPE html>\n";
    struct reader reader = {
        .start = text, .at = text, .end = text + bytes, .take = take, .context = context};
    struct span value;
    reader.why = why;
    if (bytes >= sizeof doctype && memcmp(text, doctype, sizeof doctype - 1) == 0)
        reader.at += sizeof doctype - 1;
    for (bool begun = false; reader.at < reader.end; begun = true) {
        if (*reader.at == '<') {
            bool closes = reader.end - reader.at > 1 && reader.at[1] == '/';
            if (begun && reader.depth == 0)
                return refuse(&reader, "a second root");
            if (!(closes ? read_close(&reader) : read_open(&reader)))
                return false;
        } else if (reader.depth == 0) {
            skip_space(&reader);
            if (reader.at < reader.end)
                return refuse(&reader, "text outside of the root");
        } else {
            value.start = reader.at;
            while (reader.at < reader.end && *reader.at != '<')
                if (!(*reader.at == '&' ? read_reference(&reader) : read_letter(&reader)))
                    return false;
            value.bytes = (size_t)(reader.at - value.start);
            tell(&reader, XML_TEXT, (struct span){0}, value);
        }
    }
    return reader.depth == 0 || refuse(&reader, "an element is not closed");
}
