/* The cases of a run (generator.h): a boundary cross, a random tail, extra cases, each made for one
 * kind of mistake, and the cases of tier huge.
 *
 * The boundary cross is a covering array: with i and j from 0 to SIDE - 1, column c takes its value
 * number i + c * j + layer * c^2 modulo the prime SIDE, column 0 j, so SIDE^2 cases hold every pair
 * of values of any two axes, the fill among them (cases.generator.boundary). Two layers'
 * polynomials differ in c^2, so they meet at two columns at most: no two layers have a triple of
 * values in common (cases.generator.triples). */
#include "fuzz/generator.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/fill.h"
#include "fuzz/generator_draft.h"
#include "fuzz/random.h"

/* The extra cases: wide ones, whose grid is larger than a GPU; long ones, where an index of 16 bits
 * breaks; and those whose sums show how they are rounded, where they start and how they are stored
 * (cases.generator.wide, cases.generator.long, cases.fill.tie, cases.fill.small). */

/* How many there are in a tier that has them. */
enum { EXTRA_CASES = 250 };

/* Twice the multiprocessors of the largest GPUs there are, and some: a wide case's grid has at
 * least that many blocks, whichever kernel is launched. */
enum { EXTRA_BLOCKS = 384 };

/* The kernels' widest blocks and threads (cuda/kernels.def): a tile of 32 x 32, or 256
 * threads of 16 bytes each, or of eight elements where elements are a stride apart, or of four of a
 * tile that is read with a stride. */
enum {
    TILE = 32,
    TILES = 400,
    LINE_THREADS = EXTRA_BLOCKS * 256,
    SLOT_BYTES = 16,
    UNROLLED = 8,
    TILED = 4
};

static const struct budget budget_extra = {INT64_C(1) << 21, INT64_MAX, INT64_C(1) << 24,
                                           UINT64_C(1) << 26};

static int find_kind(const struct algorithm *algorithm, enum axis_kind kind)
{
    for (int index = 0; index < algorithm->axis_count; index++)
        if (algorithm->axes[index].kind == kind)
            return index;
    return -1;
}

/* Places are taken modulo a size. */
static bool is_indexed(const struct algorithm *algorithm)
{
    int sizes = 0;
    for (int index = 0; index < algorithm->axis_count; index++)
        sizes += algorithm->axes[index].kind == AXIS_SIZE;
    return find_kind(algorithm, AXIS_STEP) >= 0 || (algorithm->contracted_axis < 0 && sizes > 1);
}

static bool is_square(const struct algorithm *algorithm)
{
    return algorithm->contracted_axis >= 0 && algorithm->operand_count == 2;
}

static void make_wide(struct draft *draft, uint64_t number)
{
    draft_draw_digits(draft);
    draft_apply_digits(draft);
    if (draft->test_case->algorithm->contracted_axis >= 0) {
        static const int rows[] = {20, 10, 40, 5, 80, 2, 200, 1};
        const struct algorithm *algorithm = draft->test_case->algorithm;
        int64_t down = rows[number % (sizeof rows / sizeof rows[0])];
        int64_t *axis = draft->test_case->axis;
        if (is_square(algorithm)) {
            axis[0] = TILE * (20 + (int64_t)draft_draw(draft, 3));
        } else {
            axis[0] = TILE * down;
            axis[1] = TILE * (TILES / down + (int64_t)draft_draw(draft, 2));
        }
        axis[algorithm->contracted_axis] = TILE;
    } else {
        const struct algorithm *algorithm = draft->test_case->algorithm;
        int64_t *axis = draft->test_case->axis;
        int element = find_kind(algorithm, AXIS_ELEMENT),
            stride = find_kind(algorithm, AXIS_STRIDE);
        int copies = find_kind(algorithm, AXIS_COPIES), length = find_kind(algorithm, AXIS_LENGTH);
        int64_t bytes = 4, elements = LINE_THREADS * (SLOT_BYTES / 4);
        if (element >= 0) {
            uint64_t power = number % (stride >= 0 ? 3 : copies >= 0 ? 8 : 5);
            bytes = INT64_C(1) << (power > 4 ? power - 3 : power); /* 4 to 16 once more */
            axis[element] = bytes;
            elements = LINE_THREADS * (SLOT_BYTES / bytes);
        }
        if (copies >= 0)
            axis[copies] = 1 + (int64_t)draft_draw(draft, 2);
        if (find_kind(algorithm, AXIS_STEP) >= 0)
            elements = LINE_THREADS * TILED;
        if (find_kind(algorithm, AXIS_LANES) >= 0)
            elements = LINE_THREADS * UNROLLED;
        if (find_kind(algorithm, AXIS_RELOAD) >= 0)
            elements = LINE_THREADS;
        if (length >= 0) { /* a thread takes one element, in as many steps as its array is long */
            axis[length] = 1 + (int64_t)draft_draw(draft, (uint64_t)(32 / bytes));
            axis[find_kind(algorithm, AXIS_ROUNDS)] = 1 + (int64_t)draft_draw(draft, 8);
            elements = LINE_THREADS;
        }
        if (find_kind(algorithm, AXIS_FLAG) >= 0) /* most as all kernels take them */
            axis[find_kind(algorithm, AXIS_FLAG)] = number % 8 == 0;
        if (stride >= 0) {
            axis[stride] = 1 + (int64_t)draft_draw(draft, 2);
            elements = LINE_THREADS * UNROLLED;
        }
        axis[0] = elements + (int64_t)draft_draw(draft, 4096);
    }
    draft_update_leading(draft);
}

/* An axis that is an index, or multiplied with one; not the side of a square, which is held whole.
 */
static bool can_be_long(const struct algorithm *algorithm, int index)
{
    enum axis_kind kind = algorithm->axes[index].kind;
    if (kind == AXIS_SIZE)
        return !is_square(algorithm) || index == algorithm->contracted_axis;
    if (kind == AXIS_LEADING && is_square(algorithm))
        return algorithm->axes[index].width_axis == algorithm->contracted_axis;
    return kind == AXIS_LEADING || kind == AXIS_OFFSET || kind == AXIS_STRIDE ||
           kind == AXIS_STEP || kind == AXIS_ROUNDS;
}

/* One axis just past 2^16 or 2^15, the axes in turn, a step past 2^32 or 2^31 as well, which needs
 * no more memory; all else so small that it can be held. */
static void make_long(struct draft *draft, uint64_t number)
{
    struct fuzz_case *test_case = draft->test_case;
    const struct algorithm *algorithm = test_case->algorithm;
    int candidates[ALGORITHM_AXES_MAX], count = 0;
    /* A size of 2 would hide what a power of two is wrong by. Of few indices perhaps none is large.
     */
    const int64_t small = is_indexed(algorithm) ? 101 : 2;
    const bool has_rows = is_indexed(algorithm) && find_kind(algorithm, AXIS_LEADING) >= 0;
    draft_draw_digits(draft);
    draft_apply_digits(draft);
    for (int index = 0; index < algorithm->axis_count; index++) {
        if (can_be_long(algorithm, index))
            candidates[count++] = index;
        if (algorithm->axes[index].kind == AXIS_SIZE)
            test_case->axis[index] = has_rows && index > 0 ? 2 : small; /* rows of what is read */
        if (algorithm->axes[index].kind == AXIS_LEADING)
            draft->digit[index] = (int)draft_draw(draft, 8); /* no wider */
        if (algorithm->axes[index].kind == AXIS_STRIDE)
            test_case->axis[index] = 1 + (int64_t)draft_draw(draft, 2);
        if (algorithm->axes[index].kind == AXIS_ROUNDS)
            test_case->axis[index] = 2; /* a pitch counts from the second row on */
    }
    /* Each axis past both powers at first with no flag, as all kernels take it. */
    for (int index = 0; number < 2 * (uint64_t)count && index < algorithm->axis_count; index++)
        if (algorithm->axes[index].kind == AXIS_FLAG)
            test_case->axis[index] = 0;
    static const uint8_t bits[] = {16, 15, 32, 31};
    int axis = candidates[number % (uint64_t)count];
    uint64_t powers = algorithm->axes[axis].kind == AXIS_STEP ? 4 : 2;
    int64_t power = INT64_C(1) << bits[number / (uint64_t)count % powers];
    int64_t past = power + 1 + (int64_t)draft_draw(draft, 5);
    if (algorithm->axes[axis].kind == AXIS_SIZE)
        test_case->axis[axis] = past;
    draft_update_leading(draft);
    test_case->axis[axis] = past;
    test_case->fill = fill_find("uniform"); /* other fills hide one wrong term among very many */
}

/* The side of a square is not long, so some are made for tiles of 64 x 64: with more rows than
 * three tiles have, as a low grid reaches (runner.plan.low_grid), and one in eight with more tiles
 * than twice a GPU's multiprocessors. False if the algorithm has no square. */
static bool make_side(struct draft *draft, uint64_t number)
{
    const struct algorithm *algorithm = draft->test_case->algorithm;
    if (!is_square(algorithm))
        return false;
    draft_draw_digits(draft);
    draft_apply_digits(draft);
    draft->test_case->axis[0] =
        (number % 8 == 0 ? 17 * 64 : 3 * 64 + 1) + (int64_t)draft_draw(draft, 60);
    draft->test_case->axis[algorithm->contracted_axis] = 1 + (int64_t)draft_draw(draft, 32);
    draft_update_leading(draft);
    return true;
}

/* A module is loaded again before one of the launches. False if the algorithm has none. */
static bool make_reload(struct draft *draft)
{
    const struct algorithm *algorithm = draft->test_case->algorithm;
    const int launches = find_kind(algorithm, AXIS_LAUNCHES);
    const int reload = find_kind(algorithm, AXIS_RELOAD);
    if (reload < 0)
        return false;
    draft_random(draft);
    draft_fit(draft, draft_draw_budget(draft));
    draft->test_case->axis[launches] = 2 + (int64_t)draft_draw(draft, 4);
    draft->test_case->axis[reload] =
        1 + (int64_t)draft_draw(draft, (uint64_t)draft->test_case->axis[launches]);
    draft->test_case->fill = fill_find("random");
    return true;
}

/* Shape and fill of extra case `number`; no operand has more than elements_max elements. */
static void make_extra(struct draft *draft, uint64_t number, int64_t elements_max)
{
    struct budget budget = budget_extra;
    budget.operand_elements = elements_max;
    draft->test_case->fill = -1;
    if (number % 10 == 0)
        make_wide(draft, number / 10);
    else if (number % 20 == 1) /* 13: each of six axes past both powers, one of three past four */
        make_long(draft, number / 20);
    else if ((number % 20 != 3 || !make_reload(draft)) && /* 13 of them */
             (number % 5 != 3 || !make_side(draft, number / 5))) {
        if (draft->test_case->algorithm->contracted_axis >= 0 && number / 2 % 2 == 0)
            draft_document(draft);
        else
            draft_random(draft);
        draft_fit(draft, draft_draw_budget(draft));
        int index = fill_find(number & 1 ? "tie" : "small");
        draft->test_case->fill = fills[index].fits(draft->test_case) ? index : -1;
    }
    if (!budget_holds(&budget, draft->test_case)) { /* a smaller one would show nothing */
        draft->test_case->fill = -1;
        draft_random(draft);
        budget = *draft_draw_budget(draft);
        budget.operand_elements = elements_max;
        draft_fit(draft, &budget);
    }
    if (draft->test_case->fill < 0)
        draft->test_case->fill = draft_fill(draft->test_case, draft->fill_digit);
}

static uint64_t huge_count(const struct algorithm *algorithm)
{
    uint64_t count = 0;
    while (count < ALGORITHM_HUGE_MAX && algorithm->huge[count])
        count++;
    return count;
}

static const struct tier_row {
    const char *name;
    uint64_t layers;       /* of the boundary cross; at most SIDE give new triples */
    uint64_t boundary_max; /* the shuffled cross is cut here */
    uint64_t count;
    uint64_t extra_first; /* where its extra cases begin; 0: it has none */
    int64_t elements_max;
    uint64_t large_every; /* one case in `large_every` of the tail is large; 0: none */
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

static struct budget make_tail(struct draft *draft, const struct tier_row *tier)
{
    bool documents = draft->test_case->algorithm->contracted_axis >= 0;
    if (tier->large_every && draft_draw(draft, tier->large_every) == 0) {
        struct fuzz_case *test_case = draft->test_case;
        int contracted = test_case->algorithm->contracted_axis;
        uint64_t bits = 16 + draft_draw(draft, (uint64_t)tier->large_bits - 15);
        int64_t outputs =
            (INT64_C(1) << bits) - (int64_t)draft_draw(draft, UINT64_C(1) << (bits - 4));
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
            test_case->axis[contracted] =
                1 + (int64_t)draft_draw(draft, (UINT64_C(1) << 23) >> bits);
        }
        draft->floor = 1;
        draft_update_leading(draft);
        return (struct budget){INT64_C(1) << tier->large_bits, INT64_MAX, INT64_C(1) << 28,
                               UINT64_C(1) << (tier->large_bits + 5)};
    }
    if (documents && draft_draw(draft, 5) == 0)
        draft_document(draft);
    else
        draft_random(draft);
    return *draft_draw_budget(draft);
}

/* The list in an order of its own, again and again with other fills and seeds. A case that is too
 * large is dropped: no smaller case would show the same. */
static void make_huge(const struct generator *generator, uint64_t index, struct fuzz_case *ret)
{
    /* Without the cancelling and the exact fills: they say nothing about indices. */
    static const char *const names[] = {"uniform", "position", "random", "special"};
    const struct algorithm *algorithm = generator->algorithm;
    const struct budget budget = {INT64_MAX, generator->elements_max, INT64_MAX, UINT64_MAX};
    const uint64_t count = huge_count(algorithm), key = random_word(generator->seed, index);
    bool made = false;
    *ret = (struct fuzz_case){.algorithm = algorithm, .seed = index};
    if (count > 0) {
        const uint64_t number = generator_shuffle(generator->seed, index % count, count);
        char text[CASE_TEXT_BYTES];
        struct case_error error;
        snprintf(text, sizeof text, "%s %s fill=%s seed=%" PRIu64, algorithm->name,
                 algorithm->huge[number],
                 names[random_below(key, 0, sizeof names / sizeof names[0])],
                 random_below(key, 1, UINT64_C(1) << 32));
        made = case_parse(text, ret, &error);
    }
    if (!made || !budget_holds(&budget, ret))
        draft_default_axes(ret);
}

uint64_t generator_telling(const struct generator *generator, uint64_t place)
{
    enum { PLAIN_FIRST = 50 };
    uint64_t first = tiers[generator->tier].extra_first;
    if (first == 0 || place < PLAIN_FIRST || place >= first + EXTRA_CASES)
        return place;
    return place < PLAIN_FIRST + EXTRA_CASES ? first + place - PLAIN_FIRST : place - EXTRA_CASES;
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
    const uint64_t first = tiers[generator->tier].extra_first;
    if (first > 0 && index >= first && index - first < EXTRA_CASES) {
        make_extra(&draft, index - first, generator->elements_max);
        ret->seed = draft_draw(&draft, UINT64_C(1) << 32);
        return;
    }
    if (index < generator->boundary_count) {
        uint64_t rank = generator_shuffle(generator->seed, index, boundary_total(generator));
        if (rank < cross_count(generator)) {
            int axis_count = draft.test_case->algorithm->axis_count;
            for (int axis = 0; axis < axis_count; axis++)
                draft.digit[axis] = generator_cross_digit(rank, axis);
            draft.fill_digit = generator_cross_digit(rank, axis_count);
            draft.floor = draft.ladder->size[1 + draft_draw(&draft, 14)];
            draft_apply_digits(&draft);
        } else
            draft_document(&draft);
        budget = *draft_draw_budget(&draft);
    } else {
        budget = make_tail(&draft, &tiers[generator->tier]);
    }
    budget.operand_elements = generator->elements_max;
    draft_fit(&draft, &budget);
    if (draft.ladder == &ladder_document && draft.fill_digit == SIDE - 1)
        draft.fill_digit = 0;
    ret->fill = draft_fill(ret, draft.fill_digit);
    ret->seed = draft_draw(&draft, UINT64_C(1) << 32);
}
