/* The report as one HTML document: no script, nothing fetched, well-formed as XML too. */
#ifndef ASSAY_CONFORMANCE_REPORT_PAGE_HTML_H
#define ASSAY_CONFORMANCE_REPORT_PAGE_HTML_H

#include "conformance/report/loaded.h"
#include "conformance/report/figure.h"

/* Writes the document. False without memory; that the stream took it is for the caller to see. */
bool page_write(FILE *file, const struct loaded *loaded);

/* Its parts, in their order. */
bool page_verdict(FILE *file, const struct loaded *loaded);
void page_failures(FILE *file, const struct loaded *loaded);

/* The first failures, a line each, for the page's first screen; nothing if there is none. */
void page_causes(FILE *file, const struct loaded *loaded);
bool page_kernels(FILE *file, const struct loaded *loaded);
bool page_environment(FILE *file, const struct loaded *loaded);

/* <details> with a table in it, open where nothing else shows its numbers. */
void page_table(FILE *file, const struct table *table, const char *summary, bool open);

/* Which record and device a part is of, shown where there is more than one. */
void page_whose(FILE *file, const struct loaded *loaded, const struct loaded_record *record,
                const char *device);

/* A row of a table of two columns, left out where the text is empty. */
void page_pair(FILE *file, const char *name, const char *text);

#endif
