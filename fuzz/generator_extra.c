/* The extra cases (generator_extra.h): wide ones, whose grid is larger than a GPU; long ones, where
 * an index of 16 bits breaks; and those whose sums show how they are rounded, where they start and
 * how they are stored. */
#include "fuzz/generator_extra.h"

#include "fuzz/fill.h"

/* What the kernels' widest blocks and threads take (cuda/kernels.def): a tile of 32 x 32, or 256
 * threads of 16 bytes each, or of eight elements where elements lie a stride apart, or of four of a
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

/* At least EXTRA_BLOCKS tiles, in rows and columns of tiles, for the documents' forms too. */
static void make_wide_product(struct draft *draft, uint64_t number)
{
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
}

static void make_wide_line(struct draft *draft, uint64_t number)
{
    const struct algorithm *algorithm = draft->test_case->algorithm;
    int64_t *axis = draft->test_case->axis;
    int element = find_kind(algorithm, AXIS_ELEMENT), stride = find_kind(algorithm, AXIS_STRIDE);
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

static void make_wide(struct draft *draft, uint64_t number)
{
    draft_draw_digits(draft);
    draft_apply_digits(draft);
    if (draft->test_case->algorithm->contracted_axis >= 0)
        make_wide_product(draft, number);
    else
        make_wide_line(draft, number);
    draft_settle(draft);
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
    return kind == AXIS_LEADING || kind == AXIS_OFFSET || kind == AXIS_STRIDE || kind == AXIS_STEP;
}

/* One axis just past 2^16 or 2^15, the axes in turn; all else so small that it can be held. */
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
    }
    int axis = candidates[number % (uint64_t)count];
    int64_t power = INT64_C(1) << (number / (uint64_t)count % 2 ? 15 : 16);
    int64_t past = power + 1 + (int64_t)draft_draw(draft, 5);
    if (algorithm->axes[axis].kind == AXIS_SIZE)
        test_case->axis[axis] = past;
    draft_settle(draft);
    test_case->axis[axis] = past;
    test_case->fill = fill_find("uniform"); /* other fills hide one wrong term among very many */
}

/* Sums by the named fill; half of them of the documents' shapes, where the algorithm has such. */
static void make_sums(struct draft *draft, uint64_t number, const char *fill)
{
    if (draft->test_case->algorithm->contracted_axis >= 0 && number % 2 == 0)
        draft_document(draft);
    else
        draft_random(draft);
    draft_fit(draft, draft_draw_budget(draft));
    int index = fill_find(fill);
    draft->test_case->fill = fills[index].fits(draft->test_case) ? index : -1;
}

/* A module is loaded again before one of the launches. False where the algorithm has none. */
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

void extra_make(struct draft *draft, uint64_t number, int64_t elements_max)
{
    struct budget budget = budget_extra;
    budget.operand_elements = elements_max;
    draft->test_case->fill = -1;
    if (number % 10 == 0)
        make_wide(draft, number / 10);
    else if (number % 20 == 1) /* 13: each of six axes past both powers */
        make_long(draft, number / 20);
    else if (number % 20 != 3 || !make_reload(draft)) /* 13 of them */
        make_sums(draft, number / 2, number & 1 ? "tie" : "small");
    if (!budget_holds(&budget, draft->test_case)) { /* a smaller one would show nothing */
        draft->test_case->fill = -1;
        draft_random(draft);
        budget = *draft_draw_budget(draft);
        budget.operand_elements = elements_max;
        draft_fit(draft, &budget);
    }
    if (draft->test_case->fill < 0)
        draft->test_case->fill = axis_fill(draft->test_case, draft->fill_digit);
}
