/* The measure of machine code: what a compiler made of each kernel's functions, as the driver says
 * on a GPU, and as the cubins in this program say without one; held to budgets. */
#ifndef ASSAY_CONFORMANCE_CODEGEN_CODEGEN_H
#define ASSAY_CONFORMANCE_CODEGEN_CODEGEN_H

#include "conformance/codegen/codegen_rows.h"
#include "conformance/session/measure.h"

/* Its report is a struct codegen_report (codegen_rows.h). */
extern const struct measure codegen_measure;

#endif
