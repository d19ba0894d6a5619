/* What a measure is held to. Bits are held to the golden, which needs no value; a relation is a
 * floor and a ceiling on a ratio, a budget a ceiling on a count. */
#ifndef ASSAY_CONFORMANCE_MODEL_LIMIT_H
#define ASSAY_CONFORMANCE_MODEL_LIMIT_H

#include <stdbool.h>

enum { LIMIT_FROM_BYTES = 160 };

enum limit_kind {
    LIMIT_FLOOR,   /* the least that conforms */
    LIMIT_CEILING, /* the most */
};

struct limit {
    enum limit_kind kind;
    double value;      /* a fraction, microseconds, or what is counted */
    bool measured;     /* of such a device; else derived from a model */
    double found_loss; /* the smallest that it finds; 0: nobody knows */
    char from[LIMIT_FROM_BYTES];
};

#endif
