/* How inputs are made. A fill is a pure function of (seed, operand, row, column), so that any
 * element can be made alone and every machine makes the same bits. */
#ifndef ASSAY_FUZZ_FILL_H
#define ASSAY_FUZZ_FILL_H

#include "case.h"

/* What a fill needs to know of one operand (fill_source.h). */
struct fill_source;

struct fill {
    const char *name;
    const char *summary; /* one line for `assay list` */
    /* Where its claim holds (the exact domain, say); NULL: everywhere. The generator asks it. */
    bool (*fits)(const struct fuzz_case *test_case);
    /* One f32 element, as bits. */
    uint32_t (*f32)(const struct fuzz_case *test_case, int operand, int64_t row, int64_t column);
    /* The same bits for columns [begin, end) of the source's row, quickly: the first at `target`,
     * each next one `stride` elements behind. */
    void (*f32_stretch)(const struct fill_source *source, int64_t begin, int64_t end, void *target,
                        int64_t stride);
    /* An operand of bytes is one stream, element after element: its 16 bytes from 16 * block, as
     * two words whose low byte comes first. */
    void (*block)(const struct fill_source *source, uint64_t block, uint64_t ret[2]);
};

extern const struct fill fills[];
extern const int fill_count;

/* The index in fills[] by name, or -1. */
int fill_find(const char *name);

/* Writes every element of input `operand`; `address` is that of its element `origin`. Gaps are not
 * touched. Operands of bytes get 16-byte position-dependent patterns of the same fill's intent. */
void fill_operand(const struct fuzz_case *test_case, int operand, void *address);

/* Writes one block of it, the first element at `target`; rows and columns lie so many elements
 * apart. The same bits as fill_operand's. */
void fill_block(const struct fuzz_case *test_case, int operand, const struct block *block,
                void *target, int64_t row_stride, int64_t column_stride);

#endif
