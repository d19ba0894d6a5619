/* The fields of a record's lines by name: record_fields.def as functions. A missing field, or one
 * of another type, reads as empty: whatever somebody put there. */
#ifndef ASSAY_CONFORMANCE_RECORD_RECORD_FIELDS_H
#define ASSAY_CONFORMANCE_RECORD_RECORD_FIELDS_H

#include "conformance/record/form.h"
#include "conformance/record/value.h"

/* What C reads and writes a field as (form_access.inc). */
#define FIELD_TYPE_TEXT            const char *
#define FIELD_TYPE_COUNT           uint64_t
#define FIELD_TYPE_INTEGER         int64_t
#define FIELD_TYPE_NUMBER          double
#define FIELD_TYPE_FLAG            bool
#define FIELD_TYPE_VERDICT         enum verdict
#define FIELD_TYPE_SPREAD          struct spread
#define FIELD_TYPE_JSON            const json_t *
#define FIELD_READ_TEXT            value_text
#define FIELD_READ_COUNT           value_count
#define FIELD_READ_INTEGER         value_integer
#define FIELD_READ_NUMBER          value_number
#define FIELD_READ_FLAG            json_is_true
#define FIELD_READ_VERDICT         value_verdict
#define FIELD_READ_SPREAD          value_spread
#define FIELD_READ_JSON(value)     (value)
#define FIELD_WRITTEN_TEXT         const char *
#define FIELD_WRITTEN_COUNT        uint64_t
#define FIELD_WRITTEN_INTEGER      int64_t
#define FIELD_WRITTEN_NUMBER       double
#define FIELD_WRITTEN_FLAG         bool
#define FIELD_WRITTEN_VERDICT      enum verdict
#define FIELD_WRITTEN_SPREAD       json_t * /* taken over */
#define FIELD_WRITTEN_JSON         json_t * /* taken over */
#define FIELD_WRITE_TEXT(value)    json_string(value)
#define FIELD_WRITE_COUNT(value)   json_integer((json_int_t)(value))
#define FIELD_WRITE_INTEGER(value) json_integer((json_int_t)(value))
#define FIELD_WRITE_NUMBER(value)  json_real(value)
#define FIELD_WRITE_FLAG(value)    json_boolean(value)
#define FIELD_WRITE_VERDICT(value) json_string(verdict_name(value))
#define FIELD_WRITE_SPREAD(value)  (value)
#define FIELD_WRITE_JSON(value)    (value)

#define FORM_TABLE "conformance/record/record_fields.def"
#include "conformance/record/form_access.inc"
#undef FORM_TABLE

/* The name of a field, of those in the table, for lists of names. */
#define FIELD_KEY(object, key) (sizeof raw_##object##_##key(NULL) ? #key : NULL)

/* The same of a kind of line that wraps an object. */
#define LINE_KEY(id) (sizeof line_##id(NULL) ? #id : NULL)

/* Any line of a record: its kinds are in the order of the enumerators. */
extern const struct form record_line_form;

/* RECORD_header, RECORD_case, RECORD_bench: a kind of line each. */
#define FORM(id, ...)
#define PLAIN(id, ...)
#define OBJECT(id, ...)
#define FIELD(object, key, access, id, level, says)
#define PART(object, id)
#define KEYS(object, id, names, says)
#define END(id)
#define LINE(id)    RECORD_##id,
#define WRAPPED(id) RECORD_##id,
enum record_kind {
#include "conformance/record/record_fields.def"
    RECORD_KIND_COUNT
};
#undef FORM
#undef PLAIN
#undef OBJECT
#undef FIELD
#undef PART
#undef KEYS
#undef END
#undef LINE
#undef WRAPPED

#endif
