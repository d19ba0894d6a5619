/* What the lines of generated programs must bear out where their summary says PASS. */
#ifndef ASSAY_CONFORMANCE_REPORT_CONTRADICTION_PROGRAMS_H
#define ASSAY_CONFORMANCE_REPORT_CONTRADICTION_PROGRAMS_H

#include "conformance/base/verdict.h"
#include "conformance/report/loaded.h"

/* True for a record of generated programs. */
bool contradiction_is_of_programs(const struct loaded_record *record);

/* True, with a reason, where the lines do not bear out the summary's counts. */
bool contradiction_of_programs(const struct loaded_record *record,
                               const uint64_t counts[VERDICT_COUNT], char *ret_why, size_t bytes);

#endif
