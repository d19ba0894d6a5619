/* The fields of a file of budgets by name: budget_fields.def as functions (record_fields.h says
 * how). */
#ifndef ASSAY_CONFORMANCE_CODEGEN_BUDGET_FIELDS_H
#define ASSAY_CONFORMANCE_CODEGEN_BUDGET_FIELDS_H

#include "conformance/record/record_fields.h"

#define FORM_TABLE "conformance/codegen/budget_fields.def"
#include "conformance/record/form_access.inc"
#undef FORM_TABLE

#endif
