/* Budgets of machine code: of registers, memory and code, read from a JSON file
 * (spec/codegen_budgets.json by default, which travels in the program). */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "conformance/base/reason.h"
#include "conformance/record/limit_file.h"
#include "conformance/record/record_fields.h"

/* The fields of such a file by name: budget_fields.def as functions (record_fields.h says how). */
#define FORM_TABLE "conformance/codegen/budget_fields.def"
#include "conformance/record/form_access.inc"
#include "conformance/record/form_json.inc"
#undef FORM_TABLE

/* For limit_file_open and limit_file_parse. */
extern const struct limit_file budgets_file;

/* True if there are budgets of the architecture. */
bool budgets_know(const json_t *budgets, int architecture);

/* The budget of a kernel's function on an architecture: its entry in the file, whose figures have
 * the names that a record's line has for those of code. NULL with the reason why it has none. */
const json_t *budgets_find(const json_t *budgets, int architecture, const char *kernel,
                           const char *function, struct reason *ret_reason);
