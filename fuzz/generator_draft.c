/* The values that break kernels: the edges of tiles, warps, blocks and vectors, 0 and 1, primes,
 * and the neighbours of powers of two (cases.generator.boundary); drawing and fitting a draft of
 * them (generator_draft.h). */
#include "fuzz/generator_draft.h"

#include "fuzz/fill.h"
#include "fuzz/random.h"

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

/* Multiples of 4 and their neighbours, within and beyond 48 KiB for 128 threads with 4, 8 or 16
 * bytes each; the corpus has the kernels' limits themselves. */
static const uint8_t copies[SIDE] = {1,  1,  1,  1,  1,  1,  1,  1,  2,  2,  2, 2, 2,
                                     3,  3,  3,  4,  4,  4,  5,  5,  6,  7,  8, 8, 9,
                                     11, 12, 13, 16, 17, 23, 24, 25, 47, 48, 97};

static const uint8_t lanes[SIDE] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                                    14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
                                    27, 28, 29, 30, 31, 32, 32, 32, 32, 32, 1};

static const uint8_t launches[SIDE] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
                                       2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 7, 8, 17};

/* Arrays in registers end at 8 elements of 16 bytes and 32 of 4 or fewer; in local memory at 16 and
 * 64. */
static const uint8_t lengths[SIDE] = {1,  2,  2,  3,  3,  4,  4,  5,  5,  6,  6,  7,  7,
                                      8,  8,  8,  9,  10, 11, 12, 13, 15, 16, 16, 17, 19,
                                      23, 24, 25, 29, 31, 32, 32, 32, 33, 63, 64};

/* Negative: up to the next multiple of 4 or 32, and one more. */
enum { TO_4 = -1, TO_32 = -2, PAST_32 = -3 };
static const int8_t paddings[SIDE] = {
    0, 0, 0, 0, 0, 0, 0, 0, 1,  1,  1,  1,  2,    2,    3,     3,     3,       4,      4,
    5, 5, 7, 7, 8, 8, 8, 9, 13, 17, 31, 33, TO_4, TO_4, TO_32, TO_32, PAST_32, PAST_32};

/* How many of SIDE numbers name each fill: those that show more, more often. */
static const struct {
    uint8_t fill, count;
} fill_shares[] = {{FILL_UNIFORM, 9},     {FILL_POSITION, 7}, {FILL_RANDOM, 6},
                   {FILL_INTEGER, 5},     {FILL_SPECIAL, 3},  {FILL_CANCEL, 3},
                   {FILL_PERMUTATION, 2}, {FILL_ONEHOT, 1},   {FILL_EQUAL, 1}};

int64_t ladder_below(const struct ladder *ladder, int64_t size)
{
    int index = ladder->count - 1;
    while (index > 0 && ladder->size[index] >= size)
        index--;
    return ladder->size[index] < size ? ladder->size[index] : 0;
}

/* Axes that are neither sizes nor leading dimensions: a list of values, or the numbers below
 * `cycle` in turn, or as many powers of two. */
static const struct {
    const uint8_t *list;
    uint8_t cycle;
    bool is_power;
} axis_values[] = {
    [AXIS_OFFSET] = {.list = offsets},
    [AXIS_STEP] = {.list = offsets},
    [AXIS_STRIDE] = {.list = strides},
    [AXIS_COPIES] = {.list = copies},
    [AXIS_ROUNDS] = {.list = rounds},
    [AXIS_LANES] = {.list = lanes},
    [AXIS_LAUNCHES] = {.list = launches},
    [AXIS_RELOAD] = {.cycle = 1}, /* 0: to load a module takes as long as 500 checks */
    [AXIS_LENGTH] = {.list = lengths},
    [AXIS_ELEMENT] = {.cycle = 5, .is_power = true},
    [AXIS_TEXEL] = {.cycle = GOLDEN_TEXEL_COUNT},
    [AXIS_CHANNELS] = {.cycle = 3, .is_power = true},
    [AXIS_ADDRESS] = {.cycle = GOLDEN_ADDRESS_COUNT},
    [AXIS_FLAG] = {.cycle = 2},
    [AXIS_PLACEMENT] = {.list = placements},
};

int64_t draft_axis_value(enum axis_kind kind, int digit, int64_t width)
{
    if (kind == AXIS_LEADING) {
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
    if (kind == AXIS_KEPT)
        return ladder_line.size[digit];
    if (axis_values[kind].list)
        return axis_values[kind].list[digit];
    const int value = digit % axis_values[kind].cycle;
    return axis_values[kind].is_power ? INT64_C(1) << value : value;
}

int draft_fill(const struct fuzz_case *test_case, int digit)
{
    size_t row = 0;
    for (int left = digit; left >= fill_shares[row].count; row++)
        left -= fill_shares[row].count;
    const int fill = fill_shares[row].fill;
    if (fills[fill].fits == NULL || fills[fill].fits(test_case))
        return fill;
    return digit & 1 ? FILL_UNIFORM : FILL_POSITION;
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

/* 4 Ki output elements and some; one case in 16 or so may be larger. */
static const struct budget budget_small = {4352, INT64_MAX, INT64_C(1) << 17, UINT64_C(1) << 18};
static const struct budget budget_medium = {INT64_C(1) << 17, INT64_MAX, INT64_C(1) << 20,
                                            UINT64_C(1) << 21};

/* For arrays of a thread, which are slow on the host device: a block's width and its neighbours. */
static const struct budget budget_arrays = {4352, INT64_MAX, INT64_C(1) << 17, UINT64_C(1) << 14};

uint64_t draft_draw(struct draft *draft, uint64_t bound)
{
    return random_below(draft->key, draft->drawn++, bound);
}

/* From 1 to 2^bits, every order of magnitude as often. */
static int64_t draw_magnitude(struct draft *draft, uint64_t bits)
{
    int64_t power = INT64_C(1) << draft_draw(draft, bits);
    return power + (int64_t)draft_draw(draft, (uint64_t)power + 1);
}

static bool is_size(const struct draft *draft, int axis)
{
    return draft->test_case->algorithm->axes[axis].kind == AXIS_SIZE;
}

void draft_update_leading(struct draft *draft)
{
    struct fuzz_case *test_case = draft->test_case;
    for (int index = 0; index < test_case->algorithm->axis_count; index++) {
        const struct axis *row = &test_case->algorithm->axes[index];
        if (row->kind != AXIS_LEADING)
            continue;
        int64_t width = test_case->axis[row->width_axis];
        test_case->axis[index] = width + draft_axis_value(AXIS_LEADING, draft->digit[index], width);
    }
}

/* Gives every axis the value of its digit. */
void draft_apply_digits(struct draft *draft)
{
    struct fuzz_case *test_case = draft->test_case;
    for (int index = 0; index < test_case->algorithm->axis_count; index++)
        test_case->axis[index] =
            is_size(draft, index)
                ? draft->ladder->size[draft->digit[index] % draft->ladder->count]
                : draft_axis_value(test_case->algorithm->axes[index].kind, draft->digit[index], 0);
    draft_update_leading(draft);
}

void draft_draw_digits(struct draft *draft)
{
    for (int index = 0; index < draft->test_case->algorithm->axis_count; index++)
        draft->digit[index] = (int)draft_draw(draft, SIDE);
    draft->fill_digit = (int)draft_draw(draft, SIDE);
}

/* C = A B and C = A At as document 004 has them: k = 32, the others multiples of 32. */
void draft_document(struct draft *draft)
{
    static const uint8_t common[] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5};
    draft->ladder = &ladder_document;
    draft->floor = 32;
    draft_draw_digits(draft);
    for (int index = 0; index < draft->test_case->algorithm->axis_count; index++)
        if (is_size(draft, index))
            draft->digit[index] = common[draft_draw(draft, sizeof common)];
    draft->digit[draft->test_case->algorithm->contracted_axis] = 0;
    draft_apply_digits(draft);
}

void draft_random(struct draft *draft)
{
    struct fuzz_case *test_case = draft->test_case;
    bool matrix = draft->ladder == &ladder_matrix;
    int thin = matrix && draft_draw(draft, 6) == 0 ? (int)draft_draw(draft, 3) : -1;
    draft_draw_digits(draft);
    draft_apply_digits(draft);
    for (int index = 0; index < test_case->algorithm->axis_count; index++) {
        enum axis_kind kind = test_case->algorithm->axes[index].kind;
        if (draft_draw(draft, 2) == 0)
            continue;
        if (kind == AXIS_SIZE)
            test_case->axis[index] = draw_magnitude(draft, matrix ? 8 : 12);
        else if (kind == AXIS_OFFSET)
            test_case->axis[index] = draw_magnitude(draft, 12);
        else if (kind == AXIS_STEP) /* it needs no memory */
            test_case->axis[index] = draw_magnitude(draft, 33);
        else if (kind == AXIS_STRIDE)
            test_case->axis[index] = draw_magnitude(draft, 8);
    }
    if (thin >= 0 && is_size(draft, thin)) {
        int fat = thin == 0 ? 1 : 0;
        test_case->axis[thin] = 1 + (int64_t)draft_draw(draft, 3);
        test_case->axis[fat] = ladder_line.size[draft_draw(draft, SIDE)];
    }
    draft->floor = draft->ladder->size[1 + draft_draw(draft, 14)];
    draft_update_leading(draft);
}

/* Brings sizes down, one axis after the other from a random one, until the budget holds. */
static void reduce(struct draft *draft, const struct budget *budget, int first, int64_t floor)
{
    int axis_count = draft->test_case->algorithm->axis_count;
    for (int step = 0; step < axis_count; step++) {
        int index = (first + step) % axis_count;
        int64_t *size = &draft->test_case->axis[index];
        while (is_size(draft, index) && *size > floor && !budget_holds(budget, draft->test_case)) {
            int64_t top = draft->ladder->size[draft->ladder->count - 1];
            *size = *size > 2 * top ? *size / 2 : ladder_below(draft->ladder, *size);
            *size = *size < floor ? floor : *size;
            draft_update_leading(draft);
        }
    }
}

void draft_default_axes(struct fuzz_case *test_case)
{
    for (int index = 0; index < test_case->algorithm->axis_count; index++)
        test_case->axis[index] =
            algorithm_axis_default(test_case->algorithm, test_case->axis, index);
}

void draft_fit(struct draft *draft, const struct budget *budget)
{
    int size_count = 0;
    while (is_size(draft, size_count))
        size_count++;
    int first = (int)draft_draw(draft, (uint64_t)size_count);
    /* Larger budgets are for larger outputs: shorten the sum first. */
    if (budget->output_elements > budget_small.output_elements &&
        draft->test_case->algorithm->contracted_axis >= 0)
        first = draft->test_case->algorithm->contracted_axis;
    reduce(draft, budget, first, draft->floor);
    reduce(draft, budget, first, draft->floor < 1 ? draft->floor : 1);
    reduce(draft, budget, first, 0);
    if (budget_holds(budget, draft->test_case))
        return;
    draft_default_axes(draft->test_case); /* not even the placement fits: drop it */
}

/* A square output outgrows the small budget at 65 rows, so squares get the larger one more often.
 */
const struct budget *draft_draw_budget(struct draft *draft)
{
    const struct algorithm *algorithm = draft->test_case->algorithm;
    bool square = algorithm->contracted_axis >= 0 && algorithm->operand_count == 2;
    const struct budget *small = &budget_small, *larger = &budget_medium;
    for (int index = 0; index < algorithm->axis_count; index++) {
        if (algorithm->axes[index].kind == AXIS_LENGTH) {
            small = &budget_arrays;
            larger = &budget_small;
        }
    }
    return draft_draw(draft, square ? 10 : 16) == 0 ? larger : small;
}
