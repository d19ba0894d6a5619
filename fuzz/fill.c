/* The table of fills, simplest first, and how an operand is filled (cases.fill.pure). */
#include "fuzz/fill.h"

#include <endian.h>
#include <math.h>
#include <string.h>

#include "fuzz/fill_source.h"

/* Integers up to here are exact in f32. */
#define EXACT_MAX (INT64_C(1) << 24)

static bool has_bytes(const struct fuzz_case *test_case)
{
    return test_case->algorithm->operands[0].type == OPERAND_BYTES;
}

/* Magnitudes 1 alone would say too little of which element was fetched. */
static bool integer_fits(const struct fuzz_case *test_case)
{
    struct fill_source source = fill_source_open(test_case, 0);
    return !has_bytes(test_case) && source.magnitude >= 2;
}

/* A localiser names the element of the last input that was fetched. */
static bool localiser_fits(const struct fuzz_case *test_case)
{
    int input = test_case->algorithm->operand_count - 2;
    struct view view = case_view(test_case, input);
    return view.rows > 0 && view.columns > 0 && view.rows < EXACT_MAX / view.columns;
}

static bool permutation_fits(const struct fuzz_case *test_case)
{
    bool sole = fill_source_open(test_case, 0).sole;
    return !sole && (has_bytes(test_case) || localiser_fits(test_case));
}

static bool onehot_fits(const struct fuzz_case *test_case)
{
    struct fill_source source = fill_source_open(test_case, 0);
    bool named = !source.sole || source.view.rows <= 4096; /* products of two row numbers */
    return source.sum != SUM_NONE && named && localiser_fits(test_case);
}

static bool arithmetic_fits(const struct fuzz_case *test_case)
{
    return !has_bytes(test_case);
}

/* A tie needs a sum that another product is added to. */
static bool tie_fits(const struct fuzz_case *test_case)
{
    return fill_source_open(test_case, 0).terms > 1;
}

#define FORMS(name) .f32 = fill_##name##_f32, .f32_stretch = fill_##name##_stretch

const struct fill fills[] = {
    {.name = "uniform", .summary = "uniform in [-1, 1)", FORMS(uniform), .block = fill_noise_block},
    {.name = "position",
     .summary = "every element unique: 1, 2, 3, ...; the second input negative",
     FORMS(position),
     .block = fill_position_block},
    {.name = "integer",
     .summary = "small nonzero integers, exact in any order of summing",
     .fits = integer_fits,
     FORMS(integer),
     .block = fill_noise_block},
    {.name = "permutation",
     .summary = "a shifted permutation, times or of positions: each output names its input",
     .fits = permutation_fits,
     FORMS(permutation),
     .block = fill_shifted_block},
    {.name = "onehot",
     .summary = "one element a row is not 0, at random; the second input holds positions",
     .fits = onehot_fits,
     FORMS(onehot),
     .block = fill_position_block},
    {.name = "equal",
     .summary = "all elements of an input equal, never 0",
     FORMS(equal),
     .block = fill_equal_block},
    {.name = "random",
     .summary = "finite floats over the full exponent range, balanced so that sums stay finite",
     FORMS(random),
     .block = fill_noise_block},
    {.name = "cancel",
     .summary = "neighbouring terms nearly cancel",
     .fits = arithmetic_fits,
     FORMS(cancel),
     .block = fill_noise_block},
    {.name = "special",
     .summary = "NaN, infinities, zeros, subnormals and extremes among uniform values",
     FORMS(special),
     .block = fill_special_block},
    {.name = "tie",
     .summary = "at one term of a chain the exact sum lies just below a tie of two floats",
     .fits = tie_fits,
     FORMS(tie),
     .block = fill_noise_block},
    {.name = "small",
     .summary = "zeros of both signs, and values whose products underflow or are subnormal",
     .fits = arithmetic_fits,
     FORMS(small),
     .block = fill_noise_block},
};

const int fill_count = (int)(sizeof fills / sizeof fills[0]);

int fill_find(const char *name)
{
    for (int index = 0; index < fill_count; index++)
        if (strcmp(fills[index].name, name) == 0)
            return index;
    return -1;
}

struct fill_source fill_source_open(const struct fuzz_case *test_case, int operand)
{
    const struct algorithm *algorithm = test_case->algorithm;
    struct fill_source source = {.test_case = test_case,
                                 .view = case_view(test_case, operand),
                                 .operand = operand,
                                 .terms = 1,
                                 .shared = random_word(test_case->seed, 0)};
    if (algorithm->contracted_axis >= 0) {
        source.sum = operand == 0 ? SUM_COLUMNS : SUM_ROWS;
        source.sole = algorithm->operand_count == 2;
        if (test_case->axis[algorithm->contracted_axis] > 1)
            source.terms = test_case->axis[algorithm->contracted_axis];
    }
    source.magnitude =
        source.terms < EXACT_MAX ? (int64_t)sqrt((double)(EXACT_MAX / source.terms)) : 1;
    source.key = random_word(source.shared, (uint64_t)operand + 1);
    /* Below 2^20 it adds to any index without overflow. */
    source.shift = (int64_t)random_below(source.shared, 0, UINT64_C(1) << 20);
    fill_source_row(&source, 0);
    return source;
}

void fill_source_row(struct fill_source *source, int64_t row)
{
    source->row = row;
    source->row_key = random_word(source->key, (uint64_t)row);
    source->pair_key = random_word(source->key, ~((uint64_t)row >> 1));
}

static inline void store_words(unsigned char *target, const uint64_t word[2])
{
    const uint64_t stored[2] = {htole64(word[0]), htole64(word[1])};
    memcpy(target, stored, sizeof stored);
}

/* The elements of one block, each where it belongs. A size known to the compiler makes each copy
 * one instruction. */
static inline unsigned char *scatter(unsigned char *target, const unsigned char *bytes,
                                     size_t count, size_t element_bytes, size_t stride_bytes)
{
    for (size_t at = 0; at < count; at += element_bytes, target += stride_bytes)
        memcpy(target, bytes + at, element_bytes);
    return target;
}

static unsigned char *scatter_block(unsigned char *target, const uint64_t word[2], size_t skip,
                                    size_t count, size_t element_bytes, size_t stride_bytes)
{
    unsigned char stored[16];
    store_words(stored, word);
    const unsigned char *bytes = stored + skip;
    if (element_bytes == 4)
        return scatter(target, bytes, count, 4, stride_bytes);
    if (element_bytes == 1)
        return scatter(target, bytes, count, 1, stride_bytes);
    if (element_bytes == 2)
        return scatter(target, bytes, count, 2, stride_bytes);
    return scatter(target, bytes, count, element_bytes, stride_bytes);
}

/* An operand of bytes is one row, and its elements one stream of blocks of 16 bytes. */
static void fill_bytes(const struct fill_source *source, const struct fill *fill, int64_t begin,
                       int64_t end, unsigned char *target, int64_t stride)
{
    size_t element_bytes = (size_t)source->view.element_bytes;
    size_t stride_bytes = element_bytes * (size_t)stride;
    uint64_t first = (uint64_t)begin * element_bytes;
    size_t left = (size_t)(end - begin) * element_bytes, skip = first % 16;
    for (uint64_t block = first / 16; left > 0; block++) {
        uint64_t word[2];
        size_t count = left < 16 - skip ? left : 16 - skip;
        fill->block(source, block, word);
        if (stride_bytes == element_bytes && count == 16) {
            store_words(target, word);
            target += 16;
        } else {
            target = scatter_block(target, word, skip, count, element_bytes, stride_bytes);
        }
        left -= count;
        skip = 0;
    }
}

void fill_block(const struct fuzz_case *test_case, int operand, const struct block *block,
                void *target, int64_t row_stride, int64_t column_stride)
{
    const struct fill *fill = &fills[test_case->fill];
    bool bytes = test_case->algorithm->operands[operand].type == OPERAND_BYTES;
    struct fill_source source = fill_source_open(test_case, operand);
    int64_t end = block->column + block->columns;
    unsigned char *row_target = target;
    for (int64_t row = block->row; row < block->row + block->rows; row++) {
        fill_source_row(&source, row);
        if (bytes)
            fill_bytes(&source, fill, block->column, end, row_target, column_stride);
        else
            fill->f32_stretch(&source, block->column, end, row_target, column_stride);
        row_target += row_stride * source.view.element_bytes;
    }
}

void fill_operand(const struct fuzz_case *test_case, int operand, void *address)
{
    struct view view = case_view(test_case, operand);
    struct block whole = {.rows = view.rows, .columns = view.columns};
    fill_block(test_case, operand, &whole,
               (unsigned char *)address + view.first * view.element_bytes, view.row_stride,
               view.column_stride);
}
