/* The table of a floor file's fields (floor_fields.h). */
#include "conformance/speed/floor_fields.h"

#include <math.h>

#define FORM_TABLE "conformance/speed/floor_fields.def"
#include "conformance/record/form_table.inc"
