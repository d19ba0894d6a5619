/* What differs between the functions of this session and those that they are compared with. */
#ifndef ASSAY_CONFORMANCE_CODEGEN_CODEGEN_COMPARE_H
#define ASSAY_CONFORMANCE_CODEGEN_CODEGEN_COMPARE_H

#include "conformance/codegen/codegen_rows.h"
#include "conformance/codegen/quantities.h"

struct codegen_comparison {
    uint64_t compared;       /* functions with figures on both sides */
    uint64_t differing;      /* in a quantity */
    uint64_t differing_code; /* in the bytes of their code */
    uint64_t absent;         /* that the other has not */
    struct {
        uint64_t more, less;
        const struct codegen_row *worst; /* the one that grew most; NULL: none did */
    } of[QUANTITY_COUNT];
};

/* Of the rows that were taken. */
struct codegen_comparison codegen_compare(const struct codegen *codegen);

/* What it holds of one row, which has_other. */
struct code_difference {
    bool quantity[QUANTITY_COUNT];
    bool any;  /* of these */
    bool code; /* the bytes, where both are known */
};
struct code_difference codegen_row_difference(const struct codegen_row *row);

#endif
