/* The values that break kernels: the edges of tiles, warps, blocks and vectors, 0 and 1, primes,
 * and the neighbours of powers of two (cases.generator.boundary). */
#include "fuzz/generator_axes.h"

#include "fuzz/fill.h"

/* 3209 is just past a tile of the scan that ptxas 12.9 broke. */
const struct ladder ladder_line = {SIDE, {0,    1,    2,    3,    5,    7,    8,   9,    15,   16,
                                          17,   31,   32,   33,   63,   64,   65,  127,  128,  129,
                                          251,  255,  256,  257,  511,  512,  513, 1000, 1023, 1024,
                                          1025, 2047, 2049, 3209, 4095, 4096, 4097}};

const struct ladder ladder_matrix = {
    SIDE, {0,  1,  2,  3,  5,  7,  8,  9,  11, 13,  15,  16,  17,  19,  24,  29,  31,  32, 33,
           37, 47, 48, 49, 61, 63, 64, 65, 97, 100, 127, 128, 129, 160, 191, 255, 256, 257}};

const struct ladder ladder_document = {6, {32, 64, 96, 128, 160, 256}};

/* Most operands start aligned: a vector kernel takes its vector path only there. */
static const uint8_t placements[SIDE] = {0,  0,  0,  0,  0,  0,  0,  0,  1,  1,  2,  3,  4,
                                         4,  5,  6,  7,  8,  9,  11, 12, 13, 15, 16, 17, 19,
                                         20, 21, 23, 25, 27, 28, 29, 31, 32, 32, 33};

static const uint8_t offsets[SIDE] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                      13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
                                      26, 27, 28, 29, 30, 31, 32, 33, 63, 64, 127};

static const uint8_t strides[SIDE] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                                      14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
                                      27, 28, 29, 30, 31, 32, 33, 63, 64, 1,  2};

static const uint8_t rounds[SIDE] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  2,  2, 2,
                                     2, 3, 3, 3, 4, 4, 5, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64};

/* Multiples of 4 and their neighbours, and what is just within and beyond 48 KiB for 128 threads
 * with 4, 8 or 16 bytes each. */
static const uint8_t copies[SIDE] = {1,  1,  1,  1,  1,  1,  1,  1,  2,  2,  2, 2, 2,
                                     3,  3,  3,  4,  4,  4,  5,  5,  6,  7,  8, 8, 9,
                                     11, 12, 13, 16, 17, 23, 24, 25, 47, 48, 97};

static const uint8_t lanes[SIDE] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                                    14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
                                    27, 28, 29, 30, 31, 32, 32, 32, 32, 32, 1};

static const uint8_t launches[SIDE] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
                                       2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 7, 8, 17};

/* Of 16 bytes 8 are in registers and 16 in local memory, of 4 and less 32 and 64. */
static const uint8_t lengths[SIDE] = {1,  2,  2,  3,  3,  4,  4,  5,  5,  6,  6,  7,  7,
                                      8,  8,  8,  9,  10, 11, 12, 13, 15, 16, 16, 17, 19,
                                      23, 24, 25, 29, 31, 32, 32, 32, 33, 63, 64};

/* Negative: up to the next multiple of 4 or 32, and one more. */
enum { TO_4 = -1, TO_32 = -2, PAST_32 = -3 };
static const int8_t paddings[SIDE] = {
    0, 0, 0, 0, 0, 0, 0, 0, 1,  1,  1,  1,  2,    2,    3,     3,     3,       4,      4,
    5, 5, 7, 7, 8, 8, 8, 9, 13, 17, 31, 33, TO_4, TO_4, TO_32, TO_32, PAST_32, PAST_32};

static const char *const fill_names[SIDE] = {
    "uniform",  "uniform",  "uniform",  "uniform",  "uniform",  "uniform",     "uniform",
    "uniform",  "uniform",  "position", "position", "position", "position",    "position",
    "position", "position", "random",   "random",   "random",   "random",      "random",
    "random",   "integer",  "integer",  "integer",  "integer",  "integer",     "special",
    "special",  "special",  "cancel",   "cancel",   "cancel",   "permutation", "permutation",
    "onehot",   "equal"};

int64_t ladder_below(const struct ladder *ladder, int64_t size)
{
    int index = ladder->count - 1;
    while (index > 0 && ladder->size[index] >= size)
        index--;
    return ladder->size[index] < size ? ladder->size[index] : 0;
}

static int64_t padding(int digit, int64_t width)
{
    int64_t least = width > 1 ? width : 1;
    switch (paddings[digit]) {
    case TO_4:
        return (least + 3) / 4 * 4 - width;
    case TO_32:
        return (least + 31) / 32 * 32 - width;
    case PAST_32:
        return (least + 31) / 32 * 32 + 1 - width;
    default:
        return least + paddings[digit] - width;
    }
}

int64_t axis_value(enum axis_kind kind, int digit, int64_t width)
{
    switch (kind) {
    case AXIS_LEADING:
        return padding(digit, width);
    case AXIS_OFFSET:
    case AXIS_STEP:
        return offsets[digit];
    case AXIS_COPIES:
        return copies[digit];
    case AXIS_KEPT:
        return ladder_line.size[digit];
    case AXIS_LANES:
        return lanes[digit];
    case AXIS_LAUNCHES:
        return launches[digit];
    case AXIS_RELOAD: /* in extra cases alone: to load a module takes as long as 500 checks */
        return 0;
    case AXIS_LENGTH:
        return lengths[digit];
    case AXIS_ROUNDS:
        return rounds[digit];
    case AXIS_STRIDE:
        return strides[digit];
    case AXIS_ELEMENT:
        return INT64_C(1) << digit % 5;
    case AXIS_TEXEL:
        return digit % TEXEL_COUNT;
    case AXIS_CHANNELS:
        return INT64_C(1) << digit % 3;
    case AXIS_ADDRESS:
        return digit % ADDRESS_COUNT;
    case AXIS_FLAG:
        return digit % 2;
    case AXIS_PLACEMENT:
    case AXIS_SIZE:
        break;
    }
    return placements[digit];
}

int axis_fill(const struct fuzz_case *test_case, int digit)
{
    int fill = fill_find(fill_names[digit]);
    bool fits = fills[fill].fits == NULL || fills[fill].fits(test_case);
    return fits ? fill : fill_find(digit & 1 ? "uniform" : "position");
}

bool budget_holds(const struct budget *budget, const struct fuzz_case *test_case)
{
    for (int index = 0; index < test_case->algorithm->operand_count; index++) {
        struct view view = case_view(test_case, index);
        if (view.origin + view.span > budget->operand_elements ||
            view.origin + view.span > budget->operand_bytes / view.element_bytes)
            return false;
    }
    return case_elements(test_case) <= budget->output_elements &&
           algorithm_traffic(test_case->algorithm, test_case->axis).flops <= budget->flops;
}
