/* The table of fills, simplest first, and how an operand is filled (cases.fill.pure). */
#include "fuzz/fill.h"

#include <math.h>
#include <string.h>

#include "fuzz/fill_source.h"

static const struct format *format_of(const struct fuzz_case *test_case, int operand)
{
    return test_case->algorithm->operands[operand].format;
}

static void begin_row(struct fill_source *source, int64_t row)
{
    source->row = row;
    source->row_key = random_word(source->key, (uint64_t)row);
    source->pair_key = random_word(source->key, ~((uint64_t)row >> 1));
}

static struct fill_source open_source(const struct fuzz_case *test_case, int operand)
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
    int64_t exact_max = format_of(test_case, operand)->exact_max;
    source.magnitude =
        source.terms < exact_max ? (int64_t)sqrt((double)(exact_max / source.terms)) : 1;
    source.key = random_word(source.shared, (uint64_t)operand + 1);
    /* Below 2^20 it adds to any index without overflow. */
    source.shift = (int64_t)random_below(source.shared, 0, UINT64_C(1) << 20);
    begin_row(&source, 0);
    return source;
}

static bool arithmetic_fits(const struct fuzz_case *test_case)
{
    return format_of(test_case, 0)->exact_max > 0;
}

/* Magnitudes of 1 only would not show which element was fetched. */
static bool integer_fits(const struct fuzz_case *test_case)
{
    struct fill_source source = open_source(test_case, 0);
    return arithmetic_fits(test_case) && source.magnitude >= 2;
}

/* A localiser names the element of the last input that was fetched. */
static bool localiser_fits(const struct fuzz_case *test_case)
{
    int input = test_case->algorithm->operand_count - 2;
    int64_t exact_max = format_of(test_case, input)->exact_max;
    struct view view = case_view(test_case, input);
    return view.rows > 0 && view.columns > 0 && view.rows < exact_max / view.columns;
}

static bool permutation_fits(const struct fuzz_case *test_case)
{
    bool sole = open_source(test_case, 0).sole;
    return !sole && (!arithmetic_fits(test_case) || localiser_fits(test_case));
}

static bool onehot_fits(const struct fuzz_case *test_case)
{
    struct fill_source source = open_source(test_case, 0);
    bool named = !source.sole || source.view.rows <= 4096; /* products of two row numbers */
    return source.sum != SUM_NONE && named && localiser_fits(test_case);
}

/* A tie needs a sum that another product is added to. */
static bool tie_fits(const struct fuzz_case *test_case)
{
    return open_source(test_case, 0).terms > 1;
}

const struct fill fills[FILL_COUNT] = {
    [FILL_UNIFORM] = {"uniform", "uniform in [-1, 1)", NULL},
    [FILL_POSITION] = {"position", "every element unique: 1, 2, 3, ...; the second input negative",
                       NULL},
    [FILL_INTEGER] = {"integer", "small nonzero integers, exact in any order of summing",
                      integer_fits},
    [FILL_PERMUTATION] = {"permutation",
                          "a shifted permutation, times or of positions: each output names its "
                          "input",
                          permutation_fits},
    [FILL_ONEHOT] = {"onehot",
                     "one element a row is not 0, at random; the second input holds positions",
                     onehot_fits},
    [FILL_EQUAL] = {"equal", "all elements of an input equal, never 0", NULL},
    [FILL_RANDOM] = {"random",
                     "finite floats over the full exponent range, balanced so that sums stay "
                     "finite",
                     NULL},
    [FILL_CANCEL] = {"cancel", "neighbouring terms nearly cancel", arithmetic_fits},
    [FILL_SPECIAL] = {"special",
                      "NaN, infinities, zeros, subnormals and extremes among uniform values", NULL},
    [FILL_TIE] = {"tie", "at one term of a chain the exact sum lies just below a tie of two floats",
                  tie_fits},
    [FILL_SMALL] = {"small",
                    "zeros of both signs, and values whose products underflow or are subnormal",
                    arithmetic_fits},
};

int fill_find(const char *name)
{
    for (int index = 0; index < FILL_COUNT; index++)
        if (strcmp(fills[index].name, name) == 0)
            return index;
    return -1;
}

void fill_block(const struct fuzz_case *test_case, int operand, const struct block *block,
                void *target, int64_t row_stride, int64_t column_stride)
{
    fill_stretch *fill = format_of(test_case, operand)->fills[test_case->fill];
    struct fill_source source = open_source(test_case, operand);
    int64_t end = block->column + block->columns;
    unsigned char *row_target = target;
    for (int64_t row = block->row; row < block->row + block->rows; row++) {
        begin_row(&source, row);
        fill(&source, block->column, end, row_target, column_stride);
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
