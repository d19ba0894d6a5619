/* What differs from another toolkit's machine code, for a terminal. */
#ifndef ASSAY_CONFORMANCE_REPORT_REPORT_AGAINST_H
#define ASSAY_CONFORMANCE_REPORT_REPORT_AGAINST_H

#include "conformance/codegen/codegen_rows.h"

/* How much was compared and differs, in one line. */
void report_against_line(const struct codegen *codegen);

/* The summary, then a line for each function that differs, to standard output. */
void report_against(const struct codegen *codegen);

#endif
