/* What the fills share inside: everything that an element depends on besides its column, made once
 * an operand and once a row, so that the loops over columns stay short. */
#ifndef ASSAY_FUZZ_FILL_SOURCE_H
#define ASSAY_FUZZ_FILL_SOURCE_H

#include "fuzz/case.h"
#include "fuzz/random.h"

/* The index of an operand that its algorithm's sum runs over. */
enum fill_sum { SUM_NONE, SUM_COLUMNS, SUM_ROWS };

struct fill_source {
    const struct fuzz_case *test_case;
    struct view view;
    int operand;
    enum fill_sum sum;
    bool sole;     /* the sum's only input, multiplied with itself */
    int64_t terms; /* of one sum; at least 1 */
    /* The greatest integer whose products, summed over the terms in any order, are exact:
     * terms * magnitude^2 is at most the format's exact_max (cases.fill.exact). */
    int64_t magnitude;
    uint64_t shared; /* random key of the case, the same for every operand */
    uint64_t key;    /* random key of the operand */
    int64_t shift;   /* of the shifted permutation */

    int64_t row;
    uint64_t row_key;
    uint64_t pair_key; /* the same for rows 2p and 2p + 1 */
};

/* A value that breaks careless arithmetic: `pick` chooses. The first SPECIALS_WILD of them turn a
 * whole sum into NaN or infinity, the others do not. */
enum { SPECIALS_WILD = 8, SPECIALS_COUNT = 16 };
extern const uint32_t fill_specials[SPECIALS_COUNT];

/* An f32 as format.h's write and read have it. */
void format_f32_write(const void *element, char ret_text[FORMAT_TEXT_BYTES]);
bool format_f32_read(const char *text, void *ret);

/* FILL_COUNT functions each, in files of their own. A format whose elements are only copied,
 * whatever their width, takes those of bytes. */
extern fill_stretch *const fill_f32[];
extern fill_stretch *const fill_bytes[];

#endif
