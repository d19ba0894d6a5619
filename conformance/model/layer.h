/* Which layer of a stack a wrong result comes from, as far as it shows in the code paths that are
 * wrong and those that are right: a front end, an assembler, a level of it, or what all share. */
#ifndef ASSAY_CONFORMANCE_MODEL_LAYER_H
#define ASSAY_CONFORMANCE_MODEL_LAYER_H

#include "conformance/base/reason.h"

enum { LAYER_BYTES = 256 };

/* What one code path came to, on the same case or cases as the others. */
struct layer_path {
    int path;
    enum verdict verdict;
};

/* In words: "ptxas 12.6.20 from -O1 on: right up to -O0". "" where nothing failed, or nothing else
 * came to a verdict. Clause: verdicts.layer.named. Returns `ret_text`. */
const char *layer_text(const struct layer_path *paths, int count, char ret_text[LAYER_BYTES]);

#endif
