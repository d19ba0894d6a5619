/* Known miscompiles in one sentence, live and from a record. */
#ifndef ASSAY_CONFORMANCE_REPORT_KNOWN_WORDS_H
#define ASSAY_CONFORMANCE_REPORT_KNOWN_WORDS_H

#include <stdio.h>

#include "conformance/report/loaded.h"

/* "3 known miscompiles in this stack, through ptx on cuda:0: abs_s16, neg_s16, ballot_twice
 * (CRASH)", without a full stop. Those that are present through the same paths on the same devices
 * are one group; where there are several, failures are first, with their reason, then the largest,
 * and last what was not tried. Nothing where none was checked. */
void known_words(FILE *file, const struct loaded_lines *known);

#endif
