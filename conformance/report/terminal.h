/* The report as text for a terminal of 80 columns. */
#ifndef ASSAY_CONFORMANCE_REPORT_TERMINAL_H
#define ASSAY_CONFORMANCE_REPORT_TERMINAL_H

#include "conformance/report/loaded.h"
#include "conformance/report/figure.h"

/* Writes the summary; bars are blocks where `unicode` is true, ASCII elsewhere. False without
 * memory. */
bool terminal_write(FILE *file, const struct loaded *loaded, bool unicode);

/* A line for each device of a record: what it is, and its driver. */
void terminal_devices(FILE *file, const struct loaded_record *record);

/* The failures alone, each with the command that runs it again. */
void terminal_failures(FILE *file, const struct loaded *loaded);

/* True where the environment's locale has UTF-8. */
bool terminal_unicode(void);

#endif
