/* A strict reader of XML for the tests: says where a document is not well-formed. It knows what a
 * report needs: elements, attributes in double quotes, text, the five entities and character
 * references; comments, processing instructions and CDATA are refused. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { XML_WHY_BYTES = 256 };

enum xml_kind { XML_OPEN, XML_ATTRIBUTE, XML_TEXT, XML_CLOSE };

struct xml_event {
    enum xml_kind kind;
    const char *name, *value; /* of an attribute both; of text the value; raw, not decoded */
    size_t name_bytes, value_bytes;
};

typedef void xml_taker(void *context, const struct xml_event *event);

/* Reads a document that may begin with <!DOCTYPE html>. False with the reason and its line. */
bool xml_read(const char *text, size_t bytes, xml_taker *take, void *context,
              char why[XML_WHY_BYTES]);
