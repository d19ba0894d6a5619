/* The table of a record's fields (record_fields.h). */
#include "conformance/record/record_fields.h"

#include <math.h>

#define FORM_TABLE "conformance/record/record_fields.def"
#include "conformance/record/form_table.inc"

#define FORM(id, ...)
#define PLAIN(id, ...)
#define OBJECT(id, ...)
#define FIELD(object, key, access, id, level, says)
#define PART(object, id)
#define KEYS(object, id, names, says)
#define END(id)
#define LINE(id)    &form_##id,
#define WRAPPED(id) &form_of_##id##_line,
static const struct form *const kinds[] = {
#include FORM_TABLE
    NULL,
};

const struct form record_line_form = {
    .meaning =
        "A record is JSON Lines: a header, the devices, then cases and findings as they come, "
        "then a summary. Each line is one of these. A record without a summary is of a run "
        "that was ended.",
    .kinds = kinds,
};
