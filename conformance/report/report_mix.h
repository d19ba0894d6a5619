/* The instruction mix of functions, for a terminal. */
#ifndef ASSAY_CONFORMANCE_REPORT_REPORT_MIX_H
#define ASSAY_CONFORMANCE_REPORT_REPORT_MIX_H

#include "conformance/codegen/codegen_rows.h"

/* A table of each function that was disassembled, to standard output; nothing where none was asked
 * for. */
void report_mix(const struct codegen *codegen);

#endif
