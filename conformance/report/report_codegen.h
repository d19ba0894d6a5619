/* A look at machine code as it goes, in words. */
#ifndef ASSAY_CONFORMANCE_REPORT_REPORT_CODEGEN_H
#define ASSAY_CONFORMANCE_REPORT_REPORT_CODEGEN_H

#include "conformance/codegen/codegen_rows.h"

extern const struct codegen_report codegen_report_text, codegen_report_tap;

#endif
