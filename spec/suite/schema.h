/* Checks JSON against a schema: the part of JSON Schema 2020-12 that spec/record.schema.json uses,
 * and an error on any other keyword, so that nothing is passed over in silence. */
#ifndef ASSAY_SPEC_SUITE_SCHEMA_H
#define ASSAY_SPEC_SUITE_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* True when `value` is what `root` describes; else the place and the reason in `why`. */
bool schema_holds(const json_t *root, const json_t *value, char *why, size_t why_bytes);

#endif
