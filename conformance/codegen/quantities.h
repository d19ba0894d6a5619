/* What is known of machine code in numbers, and held to budgets. */
#ifndef ASSAY_CONFORMANCE_CODEGEN_QUANTITIES_H
#define ASSAY_CONFORMANCE_CODEGEN_QUANTITIES_H

#include <stdbool.h>
#include <stdint.h>

#include "conformance/model/code_figures.h"

/* A new one is a row in quantities.c, its field in struct code_figures and its column in the file
 * of budgets. */
struct quantity {
    const char *name; /* of a column */
    const char *what; /* in a sentence, after a number */
    uint64_t (*of)(const struct code_figures *it);
    bool is_exact;       /* fewer than budgeted are wrong, too */
    bool may_be_unknown; /* 0 says that it is */
};

enum { QUANTITY_COUNT = 4 };
extern const struct quantity quantities[QUANTITY_COUNT];

#endif
