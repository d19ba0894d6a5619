/* What both tests of fills use. */
#pragma once

#include "fuzz/fill.h"
#include "fuzz/test/made_case.h"

enum { GARBAGE = 0xa5 };

static inline struct fuzz_case read_case(const char *shape, const char *fill, uint64_t seed)
{
    char line[CASE_TEXT_BYTES];
    snprintf(line, sizeof line, "%s fill=%s seed=%llu", shape, fill, (unsigned long long)seed);
    return made_case(line);
}

/* The operand filled, over garbage; the caller frees. *ret_origin is its element `origin`. */
static inline unsigned char *filled(const struct fuzz_case *test_case, int operand,
                                    void **ret_origin)
{
    struct view view = case_view(test_case, operand);
    size_t bytes = case_operand_bytes(test_case, operand);
    unsigned char *memory = malloc(bytes + 1);
    memset(memory, GARBAGE, bytes + 1);
    *ret_origin = memory + view.origin * view.element_bytes;
    fill_operand(test_case, operand, *ret_origin);
    ck_assert_int_eq(memory[bytes], GARBAGE);
    return memory;
}

/* One element, made alone. */
static inline uint32_t bits_at(const struct fuzz_case *test_case, int operand, int64_t row,
                               int64_t column)
{
    struct block block = {.row = row, .rows = 1, .column = column, .columns = 1};
    uint32_t bits;
    fill_block(test_case, operand, &block, &bits, 1, 1);
    return bits;
}

static inline float value_at(const struct fuzz_case *test_case, int operand, int64_t row,
                             int64_t column)
{
    uint32_t bits = bits_at(test_case, operand, row, column);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
