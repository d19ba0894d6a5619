/* The cases of a run (generator.h). The boundary cross is a covering array: with i and j from 0 to
 * SIDE - 1, column c takes its value number i + c * j modulo the prime SIDE, column 0 j, so SIDE^2
 * cases hold every pair of values of any two axes, the fill among them (cases.generator.boundary).
 * Another layer takes other multipliers c and so other triples. */
#include "fuzz/generator.h"

#include <stddef.h>
#include <string.h>

#include "fuzz/generator_axes.h"
#include "fuzz/generator_huge.h"
#include "fuzz/random.h"

static const struct tier_row {
    const char *name;
    uint64_t layers;       /* of the boundary cross; at most 4 give new triples */
    uint64_t boundary_max; /* the shuffled cross is cut here */
    uint64_t count;
    int64_t elements_max;
    uint64_t large_every; /* one case in so many of the tail is large; 0: none */
    int large_bits;       /* the most output elements of a large case, as a power of 2 */
} tiers[TIER_COUNT] = {
    [TIER_SMOKE] = {"smoke", 1, 360, 500, INT64_C(1) << 18, 0, 0},
    [TIER_STANDARD] = {"standard", 2, UINT64_MAX, 5000, INT64_C(1) << 21, 250, 20},
    [TIER_DEEP] = {"deep", 4, UINT64_MAX, UINT64_C(1) << 40, INT64_C(1) << 24, 250, 22},
    [TIER_HUGE] = {"huge", 0, 0, 0, INT64_MAX, 0, 0}, /* a list: generator_huge.c */
};

/* 4 Ki output elements and some; one case in 16 or so may be larger. */
static const struct budget budget_small = {4352, INT64_MAX, INT64_C(1) << 17, UINT64_C(1) << 18};
static const struct budget budget_medium = {INT64_C(1) << 17, INT64_MAX, INT64_C(1) << 20,
                                            UINT64_C(1) << 21};

/* A case in the making: leading dimensions follow their widths, so what they have more is kept. */
struct draft {
    struct fuzz_case *test_case;
    const struct ladder *ladder;
    int64_t floor; /* sizes are not reduced below it without need */
    uint64_t key;
    uint64_t drawn;
    int digit[ALGORITHM_AXES_MAX];
    int fill_digit;
};

int tier_find(const char *name)
{
    for (int index = 0; index < TIER_COUNT; index++)
        if (strcmp(tiers[index].name, name) == 0)
            return index;
    return -1;
}

const char *tier_name(enum tier tier)
{
    return tiers[tier].name;
}

static uint64_t cross_count(const struct generator *generator)
{
    return tiers[generator->tier].layers * SIDE * SIDE;
}

/* One case in five is of a shape that the documents' own kernels take. */
static uint64_t boundary_total(const struct generator *generator)
{
    uint64_t cross = cross_count(generator);
    return generator->algorithm->contracted_axis < 0 ? cross : cross + cross / 4;
}

void generator_open(struct generator *generator, const struct algorithm *algorithm, enum tier tier,
                    uint64_t seed, uint64_t count)
{
    const struct tier_row *row = &tiers[tier];
    *generator = (struct generator){.algorithm = algorithm,
                                    .tier = tier,
                                    .seed = seed,
                                    .elements_max = row->elements_max,
                                    .count = count               ? count
                                             : tier == TIER_HUGE ? huge_count(algorithm)
                                                                 : row->count};
    uint64_t boundary = boundary_total(generator);
    boundary = boundary < row->boundary_max ? boundary : row->boundary_max;
    generator->boundary_count = boundary < generator->count ? boundary : generator->count;
}

/* Four Feistel rounds on the least even number of bits that holds count, walked until the result
 * is below it. */
uint64_t generator_shuffle(uint64_t seed, uint64_t index, uint64_t count)
{
    int half_bits = 1;
    while (count > UINT64_C(1) << (2 * half_bits))
        half_bits++;
    uint64_t mask = (UINT64_C(1) << half_bits) - 1;
    do {
        uint64_t left = index >> half_bits, right = index & mask;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t mixed = left ^ (random_word(seed, right << 2 | round) >> 20 & mask);
            left = right;
            right = mixed;
        }
        index = left << half_bits | right;
    } while (index >= count);
    return index;
}

static uint64_t draw(struct draft *draft, uint64_t bound)
{
    return random_below(draft->key, draft->drawn++, bound);
}

/* From 1 to 2^bits, every order of magnitude as often. */
static int64_t draw_magnitude(struct draft *draft, uint64_t bits)
{
    int64_t power = INT64_C(1) << draw(draft, bits);
    return power + (int64_t)draw(draft, (uint64_t)power + 1);
}

static bool is_size(const struct draft *draft, int axis)
{
    return draft->test_case->algorithm->axes[axis].kind == AXIS_SIZE;
}

static void settle(struct draft *draft)
{
    struct fuzz_case *test_case = draft->test_case;
    for (int index = 0; index < test_case->algorithm->axis_count; index++) {
        const struct axis *row = &test_case->algorithm->axes[index];
        if (row->kind != AXIS_LEADING)
            continue;
        int64_t width = test_case->axis[row->width_axis];
        test_case->axis[index] = width + axis_value(AXIS_LEADING, draft->digit[index], width);
    }
}

/* Gives every axis the value of its digit. */
static void apply_digits(struct draft *draft)
{
    struct fuzz_case *test_case = draft->test_case;
    for (int index = 0; index < test_case->algorithm->axis_count; index++)
        test_case->axis[index] =
            is_size(draft, index)
                ? draft->ladder->size[draft->digit[index] % draft->ladder->count]
                : axis_value(test_case->algorithm->axes[index].kind, draft->digit[index], 0);
    settle(draft);
}

static void draw_digits(struct draft *draft)
{
    for (int index = 0; index < draft->test_case->algorithm->axis_count; index++)
        draft->digit[index] = (int)draw(draft, SIDE);
    draft->fill_digit = (int)draw(draft, SIDE);
}

int generator_cross_digit(uint64_t rank, int column)
{
    uint64_t i = rank % SIDE, j = rank / SIDE % SIDE, layer = rank / (SIDE * SIDE);
    uint64_t multiplier = (uint64_t)column + layer * 9; /* below SIDE, and 0 nowhere but for j */
    return (int)(column == 0 ? j : (i + multiplier * j) % SIDE);
}

static void make_cross(struct draft *draft, uint64_t rank)
{
    int axis_count = draft->test_case->algorithm->axis_count;
    for (int index = 0; index < axis_count; index++)
        draft->digit[index] = generator_cross_digit(rank, index);
    draft->fill_digit = generator_cross_digit(rank, axis_count);
    draft->floor = draft->ladder->size[1 + draw(draft, 14)];
    apply_digits(draft);
}

/* C = A B and C = A At as document 004 has them: k = 32, the others multiples of 32. */
static void make_document(struct draft *draft)
{
    static const uint8_t common[] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5};
    draft->ladder = &ladder_document;
    draft->floor = 32;
    draw_digits(draft);
    for (int index = 0; index < draft->test_case->algorithm->axis_count; index++)
        if (is_size(draft, index))
            draft->digit[index] = common[draw(draft, sizeof common)];
    draft->digit[draft->test_case->algorithm->contracted_axis] = 0;
    apply_digits(draft);
}

static void make_random(struct draft *draft)
{
    struct fuzz_case *test_case = draft->test_case;
    bool matrix = draft->ladder == &ladder_matrix;
    int thin = matrix && draw(draft, 6) == 0 ? (int)draw(draft, 3) : -1;
    draw_digits(draft);
    apply_digits(draft);
    for (int index = 0; index < test_case->algorithm->axis_count; index++) {
        enum axis_kind kind = test_case->algorithm->axes[index].kind;
        if (draw(draft, 2) == 0)
            continue;
        if (kind == AXIS_SIZE)
            test_case->axis[index] = draw_magnitude(draft, matrix ? 8 : 12);
        else if (kind == AXIS_OFFSET)
            test_case->axis[index] = draw_magnitude(draft, 12);
        else if (kind == AXIS_STRIDE)
            test_case->axis[index] = draw_magnitude(draft, 8);
    }
    if (thin >= 0 && is_size(draft, thin)) {
        int fat = thin == 0 ? 1 : 0;
        test_case->axis[thin] = 1 + (int64_t)draw(draft, 3);
        test_case->axis[fat] = ladder_line.size[draw(draft, SIDE)];
    }
    draft->floor = draft->ladder->size[1 + draw(draft, 14)];
    settle(draft);
}

/* Between 64 Ki output elements and the tier's most, with a short sum. */
static void make_large(struct draft *draft, int bits_max)
{
    struct fuzz_case *test_case = draft->test_case;
    int contracted = test_case->algorithm->contracted_axis;
    uint64_t bits = 16 + draw(draft, (uint64_t)bits_max - 15);
    int64_t outputs = (INT64_C(1) << bits) - (int64_t)draw(draft, UINT64_C(1) << (bits - 4));
    draw_digits(draft);
    apply_digits(draft);
    if (contracted < 0) {
        test_case->axis[0] = outputs;
    } else {
        bool square = test_case->algorithm->operand_count == 2;
        uint64_t row_bits = square ? bits / 2 : draw(draft, bits + 1);
        int64_t rows = (INT64_C(1) << row_bits) + (int64_t)draw(draft, 3) - 1;
        rows = rows < 1 ? 1 : rows;
        if (!square)
            test_case->axis[1] = outputs / rows;
        test_case->axis[0] = rows;
        test_case->axis[contracted] = 1 + (int64_t)draw(draft, (UINT64_C(1) << 23) >> bits);
    }
    draft->floor = 1;
    settle(draft);
}

static int64_t step_down(const struct draft *draft, int64_t size)
{
    int64_t top = draft->ladder->size[draft->ladder->count - 1];
    return size > 2 * top ? size / 2 : ladder_below(draft->ladder, size);
}

/* Brings sizes down, one axis after the other from a random one, until the budget holds. */
static void reduce(struct draft *draft, const struct budget *budget, int first, int64_t floor)
{
    int axis_count = draft->test_case->algorithm->axis_count;
    for (int turn = 0; turn < axis_count; turn++) {
        int index = (first + turn) % axis_count;
        int64_t *size = &draft->test_case->axis[index];
        while (is_size(draft, index) && *size > floor && !budget_holds(budget, draft->test_case)) {
            *size = step_down(draft, *size);
            *size = *size < floor ? floor : *size;
            settle(draft);
        }
    }
}

static void default_axes(struct fuzz_case *test_case)
{
    for (int index = 0; index < test_case->algorithm->axis_count; index++)
        test_case->axis[index] =
            algorithm_axis_default(test_case->algorithm, test_case->axis, index);
}

static void fit(struct draft *draft, const struct budget *budget)
{
    int size_count = 0;
    while (is_size(draft, size_count))
        size_count++;
    int first = (int)draw(draft, (uint64_t)size_count);
    /* Larger budgets are there for larger outputs: shorten the sum first. */
    if (budget->output_elements > budget_small.output_elements &&
        draft->test_case->algorithm->contracted_axis >= 0)
        first = draft->test_case->algorithm->contracted_axis;
    reduce(draft, budget, first, draft->floor);
    reduce(draft, budget, first, draft->floor < 1 ? draft->floor : 1);
    reduce(draft, budget, first, 0);
    if (budget_holds(budget, draft->test_case))
        return;
    default_axes(draft->test_case); /* not even the placement fits: drop it */
}

/* A square output outgrows the small budget at 65 rows, so squares get the larger one more often.
 */
static const struct budget *draw_budget(struct draft *draft)
{
    const struct algorithm *algorithm = draft->test_case->algorithm;
    bool square = algorithm->contracted_axis >= 0 && algorithm->operand_count == 2;
    return draw(draft, square ? 10 : 16) == 0 ? &budget_medium : &budget_small;
}

static struct budget make_tail(struct draft *draft, const struct tier_row *tier)
{
    bool documents = draft->test_case->algorithm->contracted_axis >= 0;
    if (tier->large_every && draw(draft, tier->large_every) == 0) {
        make_large(draft, tier->large_bits);
        return (struct budget){INT64_C(1) << tier->large_bits, INT64_MAX, INT64_C(1) << 28,
                               UINT64_C(1) << (tier->large_bits + 5)};
    }
    if (documents && draw(draft, 5) == 0)
        make_document(draft);
    else
        make_random(draft);
    return *draw_budget(draft);
}

/* The list in an order of its own, again and again with other fills and seeds. What is too large
 * is dropped, as it is elsewhere: no smaller case would say the same. */
static void make_huge(const struct generator *generator, uint64_t index, struct fuzz_case *ret)
{
    const struct algorithm *algorithm = generator->algorithm;
    uint64_t count = huge_count(algorithm);
    const struct budget budget = {INT64_MAX, generator->elements_max, INT64_MAX, UINT64_MAX};
    *ret = (struct fuzz_case){.algorithm = algorithm, .seed = index};
    bool made =
        count > 0 && huge_case(algorithm, generator_shuffle(generator->seed, index % count, count),
                               random_word(generator->seed, index), ret);
    if (!made || !budget_holds(&budget, ret))
        default_axes(ret);
}

void generator_case(const struct generator *generator, uint64_t index, struct fuzz_case *ret)
{
    if (generator->tier == TIER_HUGE) {
        make_huge(generator, index, ret);
        return;
    }
    bool several_sizes = generator->algorithm->axes[1].kind == AXIS_SIZE;
    struct draft draft = {.test_case = ret,
                          .ladder = several_sizes ? &ladder_matrix : &ladder_line,
                          .key = random_word(generator->seed, index)};
    struct budget budget;
    *ret = (struct fuzz_case){.algorithm = generator->algorithm};
    if (index < generator->boundary_count) {
        uint64_t rank = generator_shuffle(generator->seed, index, boundary_total(generator));
        if (rank < cross_count(generator))
            make_cross(&draft, rank);
        else
            make_document(&draft);
        budget = *draw_budget(&draft);
    } else {
        budget = make_tail(&draft, &tiers[generator->tier]);
    }
    budget.operand_elements = generator->elements_max;
    fit(&draft, &budget);
    if (draft.ladder == &ladder_document && draft.fill_digit == SIDE - 1)
        draft.fill_digit = 0;
    ret->fill = axis_fill(ret, draft.fill_digit);
    ret->seed = draw(&draft, UINT64_C(1) << 32);
}
