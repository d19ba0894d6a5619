/* The fields of a floor file by name: floor_fields.def as functions (record_fields.h says how). */
#ifndef ASSAY_CONFORMANCE_SPEED_FLOOR_FIELDS_H
#define ASSAY_CONFORMANCE_SPEED_FLOOR_FIELDS_H

#include "conformance/record/record_fields.h"

#define FORM_TABLE "conformance/speed/floor_fields.def"
#include "conformance/record/form_access.inc"
#undef FORM_TABLE

#endif
