/* Documents of records, and others, as one HTML document: no script, nothing fetched, well-formed
 * as XML too. */
#pragma once

#include <stdio.h>

#include "conformance/report/document.h"

/* The frame of any page: up to the beginning of its body, with the style of all pages and `style`
 * after it; and its end. */
void page_begin(FILE *file, const char *verdict, const char *title, const char *style);
void page_end(FILE *file);

/* Its first section: the verdict, its reason, the stack and the causes, what was checked and what
 * was not. */
void page_verdict(FILE *file, const struct document *document);

/* Its second: every failure, with what it takes to run it again, and checks without a verdict. */
void page_failures(FILE *file, const struct document *document);

/* The whole page of a document of no records: its verdict, its parts, every finding, and its
 * checks. */
void page_of_parts(FILE *file, const struct document *document);
