/* Generated programs, for a terminal and as TAP. */
#ifndef ASSAY_CONFORMANCE_REPORT_REPORT_PROGRAMS_H
#define ASSAY_CONFORMANCE_REPORT_REPORT_PROGRAMS_H

#include "conformance/programs/programs_rows.h"

extern const struct programs_report programs_report_text, programs_report_tap;

#endif
