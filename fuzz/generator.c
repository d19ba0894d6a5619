/* The cases of a run (generator.h). The boundary cross is a covering array: with i and j from 0 to
 * SIDE - 1, column c takes its value number i + c * j + layer * c^2 modulo the prime SIDE, column 0
 * j, so SIDE^2 cases hold every pair of values of any two axes, the fill among them
 * (cases.generator.boundary). Two layers' polynomials differ in c^2, so they meet at two columns at
 * most: no two layers have a triple of values in common (cases.generator.triples). */
#include "fuzz/generator.h"

#include <stddef.h>
#include <string.h>

#include "fuzz/generator_draft.h"
#include "fuzz/generator_extra.h"
#include "fuzz/generator_huge.h"
#include "fuzz/random.h"

static const struct tier_row {
    const char *name;
    uint64_t layers;       /* of the boundary cross; at most SIDE give new triples */
    uint64_t boundary_max; /* the shuffled cross is cut here */
    uint64_t count;
    uint64_t extra_first; /* where its extra cases begin; 0: it has none */
    int64_t elements_max;
    uint64_t large_every; /* one case in so many of the tail is large; 0: none */
    int large_bits;       /* the most output elements of a large case, as a power of 2 */
} tiers[TIER_COUNT] = {
    [TIER_SMOKE] = {"smoke", 1, 360, 500, 0, INT64_C(1) << 18, 0, 0},
    [TIER_STANDARD] = {"standard", 2, UINT64_MAX, 5000 + EXTRA_CASES, 5000, INT64_C(1) << 21, 250,
                       20},
    [TIER_DEEP] = {"deep", 4, UINT64_MAX, UINT64_C(1) << 40, 8000, INT64_C(1) << 24, 250, 22},
    [TIER_HUGE] = {"huge", 0, 0, 0, 0, INT64_MAX, 0, 0}, /* the rows' lists */
};

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

int generator_cross_digit(uint64_t rank, int column)
{
    uint64_t i = rank % SIDE, j = rank / SIDE % SIDE, layer = rank / (SIDE * SIDE);
    uint64_t c = (uint64_t)column;
    return (int)(column == 0 ? j : (i + c * j + layer * c * c) % SIDE);
}

static void make_cross(struct draft *draft, uint64_t rank)
{
    int axis_count = draft->test_case->algorithm->axis_count;
    for (int index = 0; index < axis_count; index++)
        draft->digit[index] = generator_cross_digit(rank, index);
    draft->fill_digit = generator_cross_digit(rank, axis_count);
    draft->floor = draft->ladder->size[1 + draft_draw(draft, 14)];
    draft_apply_digits(draft);
}

/* Between 64 Ki output elements and the tier's most, with a short sum. */
static void make_large(struct draft *draft, int bits_max)
{
    struct fuzz_case *test_case = draft->test_case;
    int contracted = test_case->algorithm->contracted_axis;
    uint64_t bits = 16 + draft_draw(draft, (uint64_t)bits_max - 15);
    int64_t outputs = (INT64_C(1) << bits) - (int64_t)draft_draw(draft, UINT64_C(1) << (bits - 4));
    draft_draw_digits(draft);
    draft_apply_digits(draft);
    if (contracted < 0) {
        test_case->axis[0] = outputs;
    } else {
        bool square = test_case->algorithm->operand_count == 2;
        uint64_t row_bits = square ? bits / 2 : draft_draw(draft, bits + 1);
        int64_t rows = (INT64_C(1) << row_bits) + (int64_t)draft_draw(draft, 3) - 1;
        rows = rows < 1 ? 1 : rows;
        if (!square)
            test_case->axis[1] = outputs / rows;
        test_case->axis[0] = rows;
        test_case->axis[contracted] = 1 + (int64_t)draft_draw(draft, (UINT64_C(1) << 23) >> bits);
    }
    draft->floor = 1;
    draft_settle(draft);
}

static struct budget make_tail(struct draft *draft, const struct tier_row *tier)
{
    bool documents = draft->test_case->algorithm->contracted_axis >= 0;
    if (tier->large_every && draft_draw(draft, tier->large_every) == 0) {
        make_large(draft, tier->large_bits);
        return (struct budget){INT64_C(1) << tier->large_bits, INT64_MAX, INT64_C(1) << 28,
                               UINT64_C(1) << (tier->large_bits + 5)};
    }
    if (documents && draft_draw(draft, 5) == 0)
        draft_document(draft);
    else
        draft_random(draft);
    return *draft_draw_budget(draft);
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
        draft_default_axes(ret);
}

/* True for an extra case; *ret_number is its number. */
static bool is_extra(const struct generator *generator, uint64_t index, uint64_t *ret_number)
{
    uint64_t first = tiers[generator->tier].extra_first;
    *ret_number = index - first;
    return first > 0 && index >= first && *ret_number < EXTRA_CASES;
}

uint64_t generator_telling(const struct generator *generator, uint64_t turn)
{
    enum { PLAIN_FIRST = 50 };
    uint64_t first = tiers[generator->tier].extra_first;
    if (first == 0 || turn < PLAIN_FIRST || turn >= first + EXTRA_CASES)
        return turn;
    return turn < PLAIN_FIRST + EXTRA_CASES ? first + turn - PLAIN_FIRST : turn - EXTRA_CASES;
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
    uint64_t number;
    *ret = (struct fuzz_case){.algorithm = generator->algorithm};
    if (is_extra(generator, index, &number)) {
        extra_make(&draft, number, generator->elements_max);
        ret->seed = draft_draw(&draft, UINT64_C(1) << 32);
        return;
    }
    if (index < generator->boundary_count) {
        uint64_t rank = generator_shuffle(generator->seed, index, boundary_total(generator));
        if (rank < cross_count(generator))
            make_cross(&draft, rank);
        else
            draft_document(&draft);
        budget = *draft_draw_budget(&draft);
    } else {
        budget = make_tail(&draft, &tiers[generator->tier]);
    }
    budget.operand_elements = generator->elements_max;
    draft_fit(&draft, &budget);
    if (draft.ladder == &ladder_document && draft.fill_digit == SIDE - 1)
        draft.fill_digit = 0;
    ret->fill = axis_fill(ret, draft.fill_digit);
    ret->seed = draft_draw(&draft, UINT64_C(1) << 32);
}
