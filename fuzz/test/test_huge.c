/* Cases too large to be held whole: the list of them, and that any part of one can be made alone.
 */
#include "fuzz/random.h"
#include "fuzz/test/filling.h"

/* Each case's index products pass what 32 bits hold, and no part of an output is expensive. */
START_TEST(huge_cases_are_huge, "cases.generator.huge")
{
    for (int index = 0; index < algorithm_count; index++) {
        struct generator generator = made_generator(algorithms[index], TIER_HUGE, 5);
        int past[2] = {0, 0};
        ck_assert_uint_ge(generator.count, 3);
        ck_assert_uint_le(generator.count, 12);
        for (uint64_t number = 0; number < generator.count; number++) {
            struct fuzz_case test_case = generated(&generator, number);
            int64_t span = 0, bytes = 0;
            for (int operand = 0; operand < algorithms[index]->operand_count; operand++) {
                struct view view = case_view(&test_case, operand);
                span = view.span > span ? view.span : span;
                bytes += (int64_t)case_operand_bytes(&test_case, operand);
            }
            past[0] += span > INT64_C(1) << 31;
            past[1] += span > INT64_C(1) << 32;
            ck_assert_int_gt(bytes, INT64_C(1) << 32);
            ck_assert_int_lt(bytes, INT64_C(36) << 30);
            ck_assert(algorithm_traffic(algorithms[index], test_case.axis).flops < UINT64_C(1)
                                                                                       << 38);
        }
        ck_assert_int_ge(past[0], 2);
        ck_assert_int_ge(past[1], 1);
    }
}

/* An index of 32 bits shows only where the axis itself is longer; sizes whose operands would not
 * fit into a GPU are left out, and sums of that many terms, which would take hours. */
START_TEST(sizes_pass_32_bits, "cases.generator.huge")
{
    for (int index = 0; index < algorithm_count; index++) {
        const struct algorithm *algorithm = algorithms[index];
        const bool square = algorithm->contracted_axis >= 0 && algorithm->operand_count == 2;
        struct generator generator = made_generator(algorithm, TIER_HUGE, 5);
        int64_t longest[ALGORITHM_AXES_MAX] = {0};
        for (uint64_t number = 0; number < generator.count; number++) {
            struct fuzz_case test_case = generated(&generator, number);
            for (int axis = 0; axis < algorithm->axis_count; axis++)
                if (test_case.axis[axis] > longest[axis])
                    longest[axis] = test_case.axis[axis];
        }
        for (int axis = 0; axis < algorithm->axis_count && !square; axis++)
            if (algorithm->axes[axis].kind == AXIS_SIZE && axis != algorithm->contracted_axis)
                ck_assert_msg(longest[axis] > INT64_C(1) << 32, "%s of %s",
                              algorithm->axes[axis].name, algorithm->name);
    }
}

/* A block of at least one element, where there are any. */
static struct block some_block(struct view view, uint64_t key)
{
    struct block block = {.row = (int64_t)random_below(key, 0, (uint64_t)view.rows),
                          .column = (int64_t)random_below(key, 1, (uint64_t)view.columns)};
    block.rows = 1 + (int64_t)random_below(key, 2, (uint64_t)(view.rows - block.row));
    block.columns = 1 + (int64_t)random_below(key, 3, (uint64_t)(view.columns - block.column));
    return block;
}

static void *packed(const struct fuzz_case *test_case, const struct part *part)
{
    struct view view = case_view(test_case, part->operand);
    const struct block *block = &part->block;
    void *memory = malloc((size_t)(block->rows * block->columns * view.element_bytes) + 1);
    fill_block(test_case, part->operand, block, memory, part->transposed ? 1 : block->columns,
               part->transposed ? block->rows : 1);
    return memory;
}

/* Of a table past 2^31 elements or 2^32 bytes, whatever the fill, a lookup is past them too. */
START_TEST(indices_pass_32_bits, "cases.generator.huge")
{
    int few[2] = {0, 0};
    for (uint64_t seed = 0; seed < 16; seed++) {
        struct generator generator =
            made_generator(algorithm_find("table_lookup"), TIER_HUGE, seed);
        for (uint64_t number = 0; number < generator.count; number++) {
            struct fuzz_case test_case = generated(&generator, number);
            const struct view table = case_view(&test_case, 0), index = case_view(&test_case, 1);
            int64_t most = 0;
            if (index.columns > 4096)
                continue;
            uint32_t *made =
                packed(&test_case, &(struct part){.operand = 1,
                                                  .block = {.rows = 1, .columns = index.columns}});
            for (int64_t at = 0; at < index.columns; at++)
                most = made[at] > most ? made[at] : most;
            free(made);
            const bool is_long = table.columns > INT64_C(1) << 31;
            const bool is_wide =
                table.element_bytes > 1 && table.columns * table.element_bytes > INT64_C(1) << 32;
            ck_assert(!is_long || most >= INT64_C(1) << 31);
            ck_assert(!is_wide || most * table.element_bytes >= INT64_C(1) << 32);
            few[0] += is_long && table.element_bytes > 1;
            few[1] += is_wide;
        }
    }
    ck_assert(few[0] > 0 && few[1] > 0);
}

/* The whole case in memory of its own; operands[i] is the address of operand i's origin. */
static void make_whole(const struct fuzz_case *test_case, void **ret_memory, void **ret_operands)
{
    for (int operand = 0; operand < test_case->algorithm->operand_count; operand++) {
        struct view view = case_view(test_case, operand);
        ret_memory[operand] = calloc(case_operand_bytes(test_case, operand) + 1, 1);
        ret_operands[operand] =
            (unsigned char *)ret_memory[operand] + view.origin * view.element_bytes;
        if (test_case->algorithm->operands[operand].role == OPERAND_INPUT)
            fill_operand(test_case, operand, ret_operands[operand]);
    }
    test_case->algorithm->golden(test_case->axis, ret_operands);
}

static void check_part(const struct fuzz_case *test_case, const struct block *block,
                       const unsigned char *whole)
{
    int output = test_case->algorithm->operand_count - 1;
    struct view view = case_view(test_case, output);
    size_t bytes = (size_t)view.element_bytes;
    struct part parts[ALGORITHM_PARTS_MAX];
    struct part_memory inputs[ALGORITHM_PARTS_MAX];
    unsigned char *got = malloc((size_t)(block->rows * block->columns) * bytes);
    int count = test_case->algorithm->parts(test_case->axis, block, parts);
    for (int index = 0; index < count; index++) {
        const struct block *it = &parts[index].block;
        const struct view of = case_view(test_case, parts[index].operand);
        ck_assert(it->row >= 0 && it->column >= 0 && it->row + it->rows <= of.rows &&
                  it->column + it->columns <= of.columns);
        inputs[index] =
            (struct part_memory){.first = packed(test_case, &parts[index]),
                                 .leading = parts[index].transposed ? it->rows : it->columns};
    }
    test_case->algorithm->golden_part(test_case->axis, block, inputs, got);
    for (int64_t row = 0; row < block->rows; row++) {
        for (int64_t column = 0; column < block->columns; column++) {
            int64_t at = view.first + (block->row + row) * view.row_stride +
                         (block->column + column) * view.column_stride;
            const unsigned char *made = got + (size_t)(row * block->columns + column) * bytes;
            ck_assert(format_alike(test_case->algorithm->operands[output].format, bytes, made,
                                   whole + (size_t)at * bytes, 1));
        }
    }
    for (int index = 0; index < count; index++)
        free(inputs[index].first);
    free(got);
}

/* A tile that need not begin at a power of two begins past 32 bits where an axis is longer by a
 * whole tile, with elements of more than one byte too. */
START_TEST(tiles_begin_past_32_bits, "cases.generator.huge")
{
    enum { WIDEST_TILE = 24 * 256 };
    struct generator generator = made_generator(algorithm_find("shared_copy"), TIER_HUGE, 5);
    bool narrow = false, wide = false;
    for (uint64_t number = 0; number < generator.count; number++) {
        struct fuzz_case test_case = generated(&generator, number);
        const struct view view = case_view(&test_case, 0);
        const bool is_past = view.columns > (INT64_C(1) << 32) + WIDEST_TILE;
        narrow |= is_past && view.element_bytes == 1;
        wide |= is_past && view.element_bytes >= 4;
    }
    ck_assert(narrow && wide);
}

/* An index that lost its bits above 31 or 32 finds another element, whatever the fill. */
START_TEST(far_elements_differ, "cases.fill.unique")
{
    static const char *const fill_names[] = {"uniform", "position", "random", "special"};
    for (int fill = 0; fill < 4; fill++) {
        for (int bits = 31; bits <= 32; bits++) {
            const struct fuzz_case test_case =
                read_case("offset_copy n=4294975000", fill_names[fill], 3);
            struct part near = {.block = {.rows = 1, .columns = 64, .column = 4096}}, far = near;
            far.block.column += INT64_C(1) << bits;
            uint32_t *left = packed(&test_case, &near), *right = packed(&test_case, &far);
            int same = 0;
            for (int at = 0; at < 64; at++)
                same += left[at] == right[at];
            ck_assert_int_lt(same, 32); /* special values are few */
            free(left);
            free(right);
        }
    }
}

START_TEST(parts_have_the_bits_of_the_whole, "cases.view.parts")
{
    for (int index = 0; index < algorithm_count; index++) {
        struct generator generator = made_generator(algorithms[index], TIER_SMOKE, 3);
        for (uint64_t number = 0; number < 200; number++) {
            struct fuzz_case test_case = generated(&generator, number);
            void *memory[ALGORITHM_OPERANDS_MAX], *operands[ALGORITHM_OPERANDS_MAX];
            if (case_elements(&test_case) == 0)
                continue;
            int output = algorithms[index]->operand_count - 1;
            make_whole(&test_case, memory, operands);
            for (uint64_t round = 0; round < 4; round++) {
                struct block block =
                    some_block(case_view(&test_case, output), random_word(number, round));
                check_part(&test_case, &block, operands[output]);
            }
            for (int operand = 0; operand <= output; operand++)
                free(memory[operand]);
        }
    }
}

START_TEST(blocks_have_the_bits_of_the_operand, "cases.fill.pure")
{
    for (int index = 0; index < algorithm_count; index++) {
        struct generator generator = made_generator(algorithms[index], TIER_SMOKE, 4);
        for (uint64_t number = 0; number < 200; number++) {
            struct fuzz_case test_case = generated(&generator, number);
            void *memory[ALGORITHM_OPERANDS_MAX], *operands[ALGORITHM_OPERANDS_MAX];
            struct view view = case_view(&test_case, 0);
            if (view.rows * view.columns == 0)
                continue;
            make_whole(&test_case, memory, operands);
            struct part part = {.block = some_block(view, number), .transposed = number & 1};
            unsigned char *block = packed(&test_case, &part);
            size_t bytes = (size_t)view.element_bytes;
            for (int64_t at = 0; at < part.block.rows * part.block.columns; at++) {
                int64_t row = number & 1 ? at % part.block.rows : at / part.block.columns;
                int64_t column = number & 1 ? at / part.block.rows : at % part.block.columns;
                int64_t place = view.first + (part.block.row + row) * view.row_stride +
                                (part.block.column + column) * view.column_stride;
                ASSERT_BYTES_EQUAL(block + (size_t)at * bytes,
                                   (unsigned char *)operands[0] + (size_t)place * bytes, bytes);
            }
            free(block);
            for (int operand = 0; operand < algorithms[index]->operand_count; operand++)
                free(memory[operand]);
        }
    }
}
