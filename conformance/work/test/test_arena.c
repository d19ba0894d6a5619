/* The arena: what may be read of it, what lies in its guards and gaps, and that they are looked at
 * wherever they lie. */
#include <math.h>

#include "conformance/test/made_subject.h"
#include "conformance/test/comparing.h"

/* A byte may be read if it is of an element, which a change of it shows. */
START_TEST(elements_may_be_read_and_nothing_else, "memory.reads.inside")
{
    static const char *const cases[] = {gapped,
                                        "strided_copy n=7 stride=3 element=2 source_offset=1 "
                                        "target_offset=5 fill=uniform seed=9",
                                        "offset_copy n=5 offset=3 element=16 fill=uniform seed=9"};
    for (int index = 0; index < 3; index++) {
        struct bench *bench = bench_open(cases[index]);
        unsigned char *readable = testing_new(bench->arena.bytes);
        arena_readable(&bench->arena, readable);
        for (size_t position = 0; position < bench->arena.bytes; position++) {
            enum place place = place_of_change(bench, position);
            ck_assert_int_eq(readable[position], place == PLACE_INPUT || place == PLACE_ELEMENT);
        }
        testing_release();
    }
}

START_TEST(guards_and_gaps_of_floats_are_nans, "memory.reads.nan")
{
    struct bench *bench = bench_open(gapped);
    size_t words = bench->arena.bytes / 4, count = 0, repeated = 0;
    unsigned char *readable = testing_new(bench->arena.bytes);
    arena_readable(&bench->arena, readable);
    uint32_t last = 0;
    for (size_t word = 0; word < words; word++) {
        float value;
        uint32_t bits;
        memcpy(&value, bench->image + 4 * word, 4);
        memcpy(&bits, bench->image + 4 * word, 4);
        if (readable[4 * word])
            continue;
        ck_assert_msg(isnan(value), "word %zu is %g", word, (double)value);
        count++;
        repeated += bits == last;
        last = bits;
    }
    ck_assert_uint_gt(count, 4096);
    ck_assert_uint_lt(repeated, 3);
}

/* A window far into an arena, one byte of it wrong: where that is, and how it is reported. */
static void check_far(const char *text, int operand, int64_t distance, enum place place)
{
    enum { BYTES = 4096 };
    struct fuzz_case test_case;
    struct comparison comparison;
    struct finding finding;
    static unsigned char expected[BYTES], got[BYTES];
    test_case = made_case(text);
    struct arena arena = arena_layout(&test_case);
    size_t end = arena.operands[operand].end;
    size_t wrong = (size_t)((int64_t)end + distance);
    size_t begin = (wrong - BYTES / 2) / 16 * 16;
    ck_assert_uint_gt(begin, UINT64_C(1) << 32);
    memset(&comparison, 0, sizeof comparison);
    got[wrong - begin] ^= 1;
    compare_window(&comparison, &arena, begin, begin + BYTES, expected, expected, got);
    got[wrong - begin] ^= 1;
    ck_assert_int_eq(compare_end(&comparison, &arena, &finding), VERDICT_FAIL);
    ck_assert_int_eq(finding.place, place);
    ck_assert_int_eq(finding.operand, operand);
    ck_assert_int_eq(finding.distance_bytes, distance);
}

START_TEST(places_past_4_gib_are_seen, "memory.guards.untouched", "memory.gaps.untouched")
{
    static const char copy[] = "offset_copy n=33 offset=4294967299 element=1 fill=uniform seed=1";
    static const char product[] = "matmul m=3 n=5 k=7 lda=2147483649 fill=uniform seed=1";
    check_far(copy, 0, 0, PLACE_GUARD);
    check_far(copy, 0, 4095, PLACE_GUARD);
    check_far(copy, 0, -40, PLACE_GAP);
    check_far(copy, 1, 17, PLACE_GUARD);
    check_far(product, 0, -4, PLACE_GAP);
    check_far(product, 0, 9, PLACE_GUARD);
    check_far(product, 2, 200, PLACE_GUARD);
}

/* The blocks of a window hold its elements, one after the other, however many lie before them. */
START_TEST(elements_past_2_gi_are_found, "memory.output.written")
{
    static const char *const cases[] = {
        "offset_copy n=4294967303 element=1 fill=uniform seed=1",
        "matmul m=65537 n=65539 k=2 ldc=65541 fill=uniform seed=1",
        "matmul m=4294967311 n=1 k=1 fill=uniform seed=1",
        "matmul m=3 n=2147483655 k=1 fill=uniform seed=1",
    };
    for (int index = 0; index < 4; index++) {
        struct fuzz_case test_case;
        struct block blocks[ARENA_BLOCKS_MAX];
        test_case = made_case(cases[index]);
        struct arena arena = arena_layout(&test_case);
        const int operand = arena.operand_count - 1;
        const size_t end = arena.operands[operand].end / 16 * 16, begin = end - (1 << 20);
        const int64_t columns = arena.operands[operand].view.columns;
        int64_t rank = arena_rank(&arena, operand, begin);
        ck_assert_int_gt(rank, INT32_MAX);
        int count = arena_blocks(&arena, operand, begin, end, blocks);
        for (int block = 0; block < count; block++) {
            ck_assert_int_eq(blocks[block].row * columns + blocks[block].column, rank);
            ck_assert_int_le(blocks[block].column + blocks[block].columns, columns);
            rank += blocks[block].rows * blocks[block].columns;
        }
        ck_assert_int_eq(rank, arena_rank(&arena, operand, end));
    }
}
