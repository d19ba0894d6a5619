/* The table of a file of budgets (budget_fields.h). */
#include "conformance/codegen/budget_fields.h"

#include <math.h>

#define FORM_TABLE "conformance/codegen/budget_fields.def"
#include "conformance/record/form_table.inc"
