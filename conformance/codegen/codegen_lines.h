/* The lines that a session of machine code adds to a record (spec/record.md). */
#ifndef ASSAY_CONFORMANCE_CODEGEN_CODEGEN_LINES_H
#define ASSAY_CONFORMANCE_CODEGEN_CODEGEN_LINES_H

#include "conformance/codegen/codegen_rows.h"
#include "conformance/session/path_option.h"

/* The command that takes the row again. Returns `ret_text`. */
enum { CODEGEN_REPLAY_BYTES = 512 + PATH_OPTION_BYTES };
const char *codegen_replay(const struct codegen *codegen, const struct codegen_row *row,
                           char ret_text[CODEGEN_REPLAY_BYTES]);

/* What the summary has of a comparison. A new reference; NULL: nothing was compared. */
json_t *codegen_against_json(const struct codegen *codegen);

/* A new reference. */
json_t *codegen_line(const struct codegen *codegen, const struct codegen_row *row);

#endif
