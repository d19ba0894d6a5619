/* Whether a record bears out what its summary says. */
#ifndef ASSAY_CONFORMANCE_REPORT_CONTRADICTION_H
#define ASSAY_CONFORMANCE_REPORT_CONTRADICTION_H

#include "conformance/base/reason.h"
#include "conformance/report/loaded.h"

enum { CONTRADICTION_BYTES = 256 };

/* True where the summary of a record that says PASS does not follow from its lines: `ret_why` has
 * the first contradiction in words. A PASS must be shown line by line: every case of the plan on
 * every device, a row for every kernel and path, counts that add up. */
bool contradiction_find(const struct loaded_record *record, char ret_why[CONTRADICTION_BYTES]);

/* What the lines of generated programs must bear out where their summary says PASS. */

/* True for a record of generated programs. */
bool contradiction_is_of_programs(const struct loaded_record *record);

#endif
