/* Making and fitting a draft (generator_draft.h). */
#include "fuzz/generator_draft.h"

#include "fuzz/random.h"

/* 4 Ki output elements and some; one case in 16 or so may be larger. */
static const struct budget budget_small = {4352, INT64_MAX, INT64_C(1) << 17, UINT64_C(1) << 18};
static const struct budget budget_medium = {INT64_C(1) << 17, INT64_MAX, INT64_C(1) << 20,
                                            UINT64_C(1) << 21};

/* Of arrays of a thread, which take the host device long: a block's width and its neighbours. */
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

void draft_settle(struct draft *draft)
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
void draft_apply_digits(struct draft *draft)
{
    struct fuzz_case *test_case = draft->test_case;
    for (int index = 0; index < test_case->algorithm->axis_count; index++)
        test_case->axis[index] =
            is_size(draft, index)
                ? draft->ladder->size[draft->digit[index] % draft->ladder->count]
                : axis_value(test_case->algorithm->axes[index].kind, draft->digit[index], 0);
    draft_settle(draft);
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
        else if (kind == AXIS_OFFSET || kind == AXIS_STEP)
            test_case->axis[index] = draw_magnitude(draft, 12);
        else if (kind == AXIS_STRIDE)
            test_case->axis[index] = draw_magnitude(draft, 8);
    }
    if (thin >= 0 && is_size(draft, thin)) {
        int fat = thin == 0 ? 1 : 0;
        test_case->axis[thin] = 1 + (int64_t)draft_draw(draft, 3);
        test_case->axis[fat] = ladder_line.size[draft_draw(draft, SIDE)];
    }
    draft->floor = draft->ladder->size[1 + draft_draw(draft, 14)];
    draft_settle(draft);
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
            draft_settle(draft);
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
