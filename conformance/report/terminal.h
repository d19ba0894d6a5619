/* The report as text for a terminal of 80 columns. */
#ifndef ASSAY_CONFORMANCE_REPORT_TERMINAL_H
#define ASSAY_CONFORMANCE_REPORT_TERMINAL_H

#include "conformance/report/dossier.h"
#include "conformance/report/figure.h"

/* Writes the summary; bars are blocks where `unicode` is true, ASCII elsewhere. False without
 * memory. */
bool terminal_write(FILE *file, const struct dossier *dossier, bool unicode);

/* A figure's exhibit (terminal_figure.c): bars with their marks, a line for each series. */
void terminal_exhibit(FILE *file, const struct exhibit *exhibit, bool unicode);

/* True where the environment's locale has UTF-8. */
bool terminal_unicode(void);

#endif
