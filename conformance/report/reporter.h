/* The formats of a document: each is one file, format_NAME.c, and a row of `reporters`.
 *
 *     struct report report = {.file = stdout};
 *     reporters[options->report_format]->end(&report, &document);
 *
 * To add one: write its file with a `const struct reporter reporter_NAME`, and add a row to
 * formats.def. */
#pragma once

#include <stdio.h>

#include "conformance/report/document.h"

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

/* In the order of formats.def, which is that of the words of --format. */
enum report_format {
#define FORMAT(id) REPORT_##id,
#include "conformance/report/formats.def"
#undef FORMAT
    REPORT_FORMAT_COUNT
};
extern const struct reporter *const reporters[REPORT_FORMAT_COUNT];
