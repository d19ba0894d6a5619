/* The fields of a record's lines by name: record_fields.def as functions. A missing field, or one
 * of another type, reads as empty: whatever somebody put there. */
#ifndef ASSAY_CONFORMANCE_RECORD_RECORD_FIELDS_H
#define ASSAY_CONFORMANCE_RECORD_RECORD_FIELDS_H

#include "conformance/record/field.h"
#include "conformance/record/form.h"

#define FORM_TABLE "conformance/record/record_fields.def"
#include "conformance/record/form_access.inc"
#undef FORM_TABLE

/* Any line of a record. */
extern const struct form record_line_form;

#endif
