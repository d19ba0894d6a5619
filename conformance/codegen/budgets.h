/* Budgets of machine code: of registers, memory and code, read from a JSON file
 * (spec/codegen_budgets.json by default, which travels in the program). */
#ifndef ASSAY_CONFORMANCE_CODEGEN_BUDGETS_H
#define ASSAY_CONFORMANCE_CODEGEN_BUDGETS_H

#include <jansson.h>

#include "conformance/base/reason.h"
#include "conformance/record/record_fields.h"

/* The fields of such a file by name: budget_fields.def as functions (record_fields.h says how). */
#define FORM_TABLE "conformance/codegen/budget_fields.def"
#include "conformance/record/form_access.inc"
#undef FORM_TABLE

/* Reads and checks a file; NULL: the built-in one. A new reference; NULL with the reason, which
 * names file, line and entry. */
json_t *budgets_open(const char *path, struct reason *ret_reason);

/* The same for a text; `path` is used only in messages. */
json_t *budgets_parse(const char *path, const char *text, struct reason *ret_reason);

/* The budget of a kernel's function on an architecture: its entry in the file, whose figures have
 * the names that a record's line has for those of code. NULL with the reason why it has none. */
const json_t *budgets_find(const json_t *budgets, int architecture, const char *kernel,
                           const char *function, struct reason *ret_reason);

#endif
