/* Records as one HTML document: no script, nothing fetched, well-formed as XML too. */
#pragma once

#include <stdio.h>

#include "conformance/report/loaded.h"

/* Writes the document; the caller checks whether the stream took it. */
void page_write(FILE *file, const struct loaded *loaded);

/* Its first section: the verdict, its reason and its causes, what was checked and what was not. */
void page_verdict(FILE *file, const struct loaded *loaded);
