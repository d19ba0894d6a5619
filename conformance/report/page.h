/* Records as one HTML document: no script, nothing fetched, well-formed as XML too. */
#pragma once

#include <stdio.h>

#include "conformance/report/document.h"

/* Its first section: the verdict, its reason, the stack and the causes, what was checked and what
 * was not. */
void page_verdict(FILE *file, const struct document *document);

/* Its second: every failure, with what it takes to run it again, and checks without a verdict. */
void page_failures(FILE *file, const struct document *document);
