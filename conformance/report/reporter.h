/* The formats of a document: each is one file, format_NAME.c, and a row of `reporters`.
 *
 *     struct report report = {.file = stdout};
 *     reporters[options->format]->end(&report, &document);
 *
 * To add one: write its file with a `const struct reporter reporter_NAME`, and add a row to
 * session/output_formats.def. */
#pragma once

#include <stdio.h>

#include "conformance/report/document.h"
#include "conformance/session/options.h"

/* Where a report goes, and how. */
struct report {
    FILE *file;
    bool unicode;  /* text may have letters beyond ASCII */
    bool is_quiet; /* text has nothing but what is not PASS */
};

struct reporter {
    const char *name; /* the word of --format */
    /* Writes the whole document. */
    void (*end)(struct report *report, const struct document *document);
};

/* By enum output_format. */
extern const struct reporter *const reporters[FORMAT_COUNT];
