/* The comparator must see every wrong byte, and say where; and these tests must see every wrong
 * comparator. So the same checks run over the real one, which passes them all, and over mutants of
 * it, each of which must fail one. */
#include <math.h>

#include "conformance/test/comparing.h"

#define COMPARED                                                                                   \
    const struct arena *arena, const unsigned char *image, const unsigned char *expected,          \
        const unsigned char *got, struct finding *ret
typedef enum verdict comparator(COMPARED);

static int judge(comparator *compare, struct bench *bench)
{
    return compare(&bench->arena, bench->image, bench->expected, bench->got, &bench->finding) ==
           VERDICT_FAIL;
}

static int sees_each_byte(comparator *compare)
{
    int good = 1;
    struct bench *bench = bench_open(gapped);
    for (size_t position = 0; position < bench->arena.bytes; position++) {
        bench->got[position] ^= 0x10;
        good = good && judge(compare, bench);
        bench->got[position] ^= 0x10;
    }
    return good;
}

static int passes_the_right(comparator *compare)
{
    struct bench *bench = bench_open(gapped);
    return !judge(compare, bench);
}

static void put_float(struct bench *bench, unsigned char *memory, float value)
{
    memcpy(memory + arena_element(&bench->arena, 2, 1, 2), &value, sizeof value);
}

static int refuses_a_nan(comparator *compare)
{
    struct bench *bench = bench_open(gapped);
    put_float(bench, bench->got, NAN);
    return judge(compare, bench) && bench->finding.place == PLACE_ELEMENT;
}

static int wants_a_nan(comparator *compare)
{
    struct bench *bench = bench_open(gapped);
    put_float(bench, bench->expected, NAN);
    int good = judge(compare, bench);
    put_float(bench, bench->got, -NAN);
    return good && !judge(compare, bench);
}

static int tells_zeros_apart(comparator *compare)
{
    struct bench *bench = bench_open(gapped);
    put_float(bench, bench->expected, 0.0f);
    put_float(bench, bench->got, -0.0f);
    return judge(compare, bench) && bench->finding.ulp == 1;
}

/* An unwritten output is the poison, whatever was expected: no element may pass. */
static int sees_the_poison(comparator *compare)
{
    struct bench *bench = bench_open("matmul m=4 n=4 k=4 fill=special seed=3");
    memcpy(bench->got, bench->image, bench->arena.bytes);
    int good =
        judge(compare, bench) && bench->finding.unwritten && bench->finding.wrong_elements == 16;
    return good;
}

static int compares_copied_nans(comparator *compare)
{
    struct bench *bench = bench_open("offset_copy n=4 offset=1 fill=special seed=3");
    uint32_t quiet = 0x7fc00000, other = 0x7fc00001;
    size_t position = arena_element(&bench->arena, 1, 0, 2);
    memcpy(bench->expected + position, &quiet, 4);
    memcpy(bench->got + position, &other, 4);
    return judge(compare, bench);
}

static int (*const demands[])(comparator *compare) = {
    sees_each_byte,    passes_the_right, refuses_a_nan,        wants_a_nan,
    tells_zeros_apart, sees_the_poison,  compares_copied_nans,
};
enum { DEMANDS = sizeof demands / sizeof demands[0] };

/* Mutants: the real comparator on memory in which the mistake was made invisible. */

static enum verdict with_copied(COMPARED, size_t begin, size_t end)
{
    unsigned char *blind = malloc(arena->bytes);
    memcpy(blind, got, arena->bytes);
    memcpy(blind + begin, expected + begin, end - begin);
    enum verdict verdict = compare_arena(arena, image, expected, blind, ret);
    free(blind);
    return verdict;
}

static enum verdict ignores_last_byte(COMPARED)
{
    return with_copied(arena, image, expected, got, ret, arena->bytes - 1, arena->bytes);
}

static enum verdict ignores_head_guard(COMPARED)
{
    return with_copied(arena, image, expected, got, ret, 0, arena->operands[0].begin);
}

static enum verdict ignores_tail_guard(COMPARED)
{
    return with_copied(arena, image, expected, got, ret,
                       arena->operands[arena->operand_count - 1].end, arena->bytes);
}

static enum verdict ignores_inputs(COMPARED)
{
    return with_copied(arena, image, expected, got, ret, arena->operands[0].begin,
                       arena->operands[0].end);
}

static enum verdict ignores_row_gap(COMPARED)
{
    int last = arena->operand_count - 1;
    const struct view *view = &arena->operands[last].view;
    if (view->rows < 2 || view->columns == 0)
        return compare_arena(arena, image, expected, got, ret);
    size_t begin = arena_element(arena, last, 0, view->columns - 1) + (size_t)view->element_bytes;
    return with_copied(arena, image, expected, got, ret, begin, arena_element(arena, last, 1, 0));
}

/* fabs(expected - got) > 0 is false for a NaN, and for zeros of either sign: the classic. */
static enum verdict compares_by_value(COMPARED)
{
    int last = arena->operand_count - 1;
    const struct view *view = &arena->operands[last].view;
    unsigned char *blind = malloc(arena->bytes);
    memcpy(blind, got, arena->bytes);
    for (int64_t row = 0; row < view->rows && view->element_bytes == 4; row++) {
        for (int64_t column = 0; column < view->columns; column++) {
            size_t position = arena_element(arena, last, row, column);
            float left, right;
            memcpy(&left, expected + position, 4);
            memcpy(&right, got + position, 4);
            if (!(fabsf(left - right) > 0))
                memcpy(blind + position, expected + position, 4);
        }
    }
    enum verdict verdict = compare_arena(arena, image, expected, blind, ret);
    free(blind);
    return verdict;
}

static enum verdict passes_all(COMPARED)
{
    (void)arena, (void)image, (void)expected, (void)got, (void)ret;
    return VERDICT_PASS;
}

static enum verdict wants_nan_bits(COMPARED)
{
    if (memcmp(expected, got, arena->bytes) == 0)
        return VERDICT_PASS;
    enum verdict verdict = compare_arena(arena, image, expected, got, ret);
    return verdict == VERDICT_PASS ? VERDICT_FAIL : verdict;
}

static comparator *const wrong_comparators[] = {
    ignores_last_byte, ignores_head_guard, ignores_tail_guard, ignores_inputs,
    ignores_row_gap,   compares_by_value,  passes_all,         wants_nan_bits,
};

static int fulfils(comparator *compare)
{
    int count = 0;
    for (int index = 0; index < DEMANDS; index++)
        count += demands[index](compare);
    return count;
}

START_TEST(real_comparator_meets_every_demand, "numerics.nan.equal", "memory.guards.untouched",
           "memory.gaps.untouched", "memory.inputs.unchanged", "memory.output.written",
           "numerics.copy.bits")
{
    for (int index = 0; index < DEMANDS; index++)
        ck_assert_msg(demands[index](compare_arena), "demand %d", index);
}

START_TEST(wrong_comparators_are_caught, "verdicts.comparator.tested")
{
    for (size_t index = 0; index < sizeof wrong_comparators / sizeof wrong_comparators[0]; index++)
        ck_assert_msg(fulfils(wrong_comparators[index]) < DEMANDS, "mutant %zu lives", index);
}

START_TEST(places_are_named, "verdicts.place.named")
{
    struct bench *bench = bench_open(gapped);
    const struct arena_operand *c = &bench->arena.operands[2];
    ck_assert_int_eq(place_of_change(bench, arena_element(&bench->arena, 0, 1, 3)), PLACE_INPUT);
    ck_assert_int_eq(bench->finding.row, 1);
    ck_assert_int_eq(bench->finding.column, 3);
    ck_assert_int_eq(place_of_change(bench, arena_element(&bench->arena, 2, 2, 4)), PLACE_ELEMENT);
    ck_assert_int_eq(bench->finding.operand, 2);
    ck_assert_str_eq(bench->finding.clause, "matmul.order.ascending");
    ck_assert_int_eq(place_of_change(bench, arena_element(&bench->arena, 2, 0, 4) + 4), PLACE_GAP);
    ck_assert_int_eq(bench->finding.column, 4);
    ck_assert_int_eq(place_of_change(bench, c->begin - 1), PLACE_GUARD);
    ck_assert_int_eq(bench->finding.distance_bytes, -1);
    ck_assert_int_eq(place_of_change(bench, c->end + 7), PLACE_GUARD);
    ck_assert_int_eq(bench->finding.distance_bytes, 7);
    ck_assert_str_eq(bench->finding.clause, "memory.guards.untouched");
}
