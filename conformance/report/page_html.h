/* The report as one HTML document: no script, nothing fetched, well-formed as XML too. */
#ifndef ASSAY_CONFORMANCE_REPORT_PAGE_HTML_H
#define ASSAY_CONFORMANCE_REPORT_PAGE_HTML_H

#include <stdio.h>

#include "conformance/report/loaded.h"

/* Writes the document. Returns false without memory; the caller checks whether the stream took it.
 */
bool page_write(FILE *file, const struct loaded *loaded);

/* Its first section: the verdict, its reason and its causes, what was checked and what was not. */
bool page_verdict(FILE *file, const struct loaded *loaded);

#endif
